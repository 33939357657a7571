"""Golden results: every entry of the catalogue by two methods, and the files that both agreed on."""
