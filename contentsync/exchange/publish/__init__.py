"""The asset store: where a sync publishes the pictures of the content folder (docs/content.md 13).

Importing `contentsync.exchange.publish` requires the package of `contentsync[assets]`.
"""

from ...extra import ASSETS

ASSETS.require()
