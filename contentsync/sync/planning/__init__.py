"""Make a plan: read the server, compare, order the changes, and check the gates. Also what pulls and forecasts take."""
