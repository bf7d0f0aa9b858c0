"""The server's content put into files: what `pull` writes, so that nothing else in a file changes."""
