"""Eleventy: https://www.11ty.dev/docs."""

from .generated_site import Generator
from .generator_rules import GeneratorRules, scripts

ELEVENTY = GeneratorRules(
    generator=Generator.ELEVENTY,
    configs=(".eleventy.js", *scripts("eleventy.config")),
    has_top_pages=True,
    asset_folders=("public", "static"),
)
