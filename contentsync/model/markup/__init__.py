"""Texts and values of a directory as HTML that runs nothing and loads nothing unexpected, and the ids in this HTML.

The site shows the HTML. The check of links in a folder reads its ids, so that both know the same ones (decision 27).

safe_urls             the URLs that links, images and video frames may have
code_highlighting     code blocks, with classes for their colours
html_cleaning         HTML bodies
markdown_rendering    Markdown bodies with footnotes, task lists and more, cleaned like HTML
body_ids              the ids in a body, which the fragments of links name
"""

from .html_cleaning import clean_html
from .markdown_rendering import markdown_html
from .safe_urls import LinkBase, frame_url, safe_url

__all__ = ["LinkBase", "clean_html", "frame_url", "markdown_html", "safe_url"]
