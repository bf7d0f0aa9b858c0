"""What texts and values of a directory become on its site: HTML in which nothing runs and nothing is loaded unasked."""

from .cleaning import clean_html
from .colour import colour, contrasting
from .json_ld import json_ld
from .markdown import markdown_html
from .root import Root
from .url import safe_url
from .video import Video, video

__all__ = ["Root", "Video", "clean_html", "colour", "contrasting", "json_ld", "markdown_html", "safe_url", "video"]
