"""The processors of one entry, in their order: from the values of a file to the fields of an entry."""
