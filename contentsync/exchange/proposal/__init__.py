"""What changed on the server, as branches of the repository (docs/propose.md)."""
