"""Write the files of the content folder: edit, rename, adopt and scaffold. Reading is in `content`."""
