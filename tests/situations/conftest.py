from ..hooks.conftest import program

__all__ = ["program"]
