"""The content folder: its files become entries and problems, each with its place. The door of PyYAML and Markdown."""

from .config import Config, Folder, MaxDeletes, OrganizerSettings, Site, Target, find_folder, read_config
from .folder import Content, Survey, load, survey

__all__ = [
    "Config",
    "Content",
    "Folder",
    "MaxDeletes",
    "OrganizerSettings",
    "Site",
    "Survey",
    "Target",
    "find_folder",
    "load",
    "read_config",
    "survey",
]
