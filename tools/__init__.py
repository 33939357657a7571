"""Programs for developers that are no part of the product: the documentation site, releases, the matrix of Pythons."""
