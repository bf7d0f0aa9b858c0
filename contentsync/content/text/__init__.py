"""What texts say: the links in bodies, and letters that readers do not see."""
