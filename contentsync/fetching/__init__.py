"""The data of sources, written into files of the folder after the gates have let it through."""
