"""Serves the pages, one blueprint a file. A view function parses the request, calls one function, renders the page."""
