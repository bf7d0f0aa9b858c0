"""What the server must survive: kills under load, and databases that disagree (`make torture-server`)."""
