"""Super Three Card, as approved on 2021-01-28."""
