"""Places the load hosts of Tenbin on a Ray cluster."""
