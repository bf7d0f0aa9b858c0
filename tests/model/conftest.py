"""Settings of the properties."""

from hypothesis import settings

# A slow or busy machine is no failure.
settings.register_profile("contentsync", deadline=None, max_examples=30)
settings.load_profile("contentsync")
