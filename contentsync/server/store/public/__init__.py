"""What the visitors of a site may see: nothing here returns a record that is not shown at the moment that is given.

Moments are texts in wire form; the caller asks the clock once a request, so that a page is of one piece.
"""
