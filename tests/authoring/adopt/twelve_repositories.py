"""Twelve repositories in the shapes of real ones, with the faults on which `adopt` failed there, and what is right."""

from collections.abc import Callable, Mapping

from .twelve.blogs import hexo_blog, jekyll_blog, pelican_blog, zola_garden
from .twelve.lists import many_languages, obsidian_vault, shop_tables
from .twelve.shape import Shape
from .twelve.sites import astro_collections, docusaurus_site, eleventy_docs, hugo_sections, jekyll_collections

# Each with the number of its entries in the measure of `scripts/adopt_twelve.py`.
SIZES: Mapping[Callable[[int], Shape], int] = {
    jekyll_blog: 420,
    jekyll_collections: 240,
    hugo_sections: 1000,
    hexo_blog: 310,
    zola_garden: 360,
    pelican_blog: 180,
    eleventy_docs: 260,
    astro_collections: 500,
    docusaurus_site: 400,
    obsidian_vault: 700,
    shop_tables: 960,
    many_languages: 100,
}
TWELVE: Mapping[str, Callable[[int], Shape]] = {make.__name__: make for make in SIZES}
