"""What the sync must survive: faults on the wire, strict services, deaths at any moment (`make torture`)."""
