"""Write the server's values into the files of a folder, and leave all other text of the files unchanged."""
