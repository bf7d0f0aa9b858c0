"""The public sites of the directories: pages rendered on the server, which work without JavaScript.

site_app            a request's host and path -> directory, language and view
page_request        the argument of a view: directory, language, catalogue, query
listing_pages, record_pages
                    the views; each returns an `HtmlPage` or raises PageNotFound
html_page           a page before it is rendered: template, head, breadcrumbs and values
rendering           an `HtmlPage` and the menus -> HTML with headers
feeds, sitemap      views that return XML
"""
