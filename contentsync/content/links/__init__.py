"""The links of texts: their forms, the entry that each leads to, and the addresses that replace them."""
