"""Put the server's content into the files of a folder, without changing anything else in them."""
