"""Documents, charts and pictures made from values: what is printed is laid out here, and no figure is computed."""
