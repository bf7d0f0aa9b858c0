"""The server beside what others need for the same work: `make bench-server`."""
