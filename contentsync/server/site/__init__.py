"""The public site of a directory: pages made on the server, which work without JavaScript."""
