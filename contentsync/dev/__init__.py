"""The site in the browser while its folder is being written."""
