"""Show the site in the browser while its folder is being edited.

preview_database   a SQLite database beside the content, for one process
known_entries      what that database has of the folder
preview_reading    reads what has changed since then
mirror             syncs the folder into that database after each save
live_reload        serves the site, and reports each sync to the open pages
"""

from ..extra import SERVER

SERVER.require()
