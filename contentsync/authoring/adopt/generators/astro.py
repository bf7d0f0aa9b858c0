"""Astro: https://docs.astro.build."""

from .generated_site import Generator
from .generator_rules import GeneratorRules, scripts

ASTRO = GeneratorRules(generator=Generator.ASTRO, configs=scripts("astro.config"), asset_folders=("public",))
