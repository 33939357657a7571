"""Deuces Wild, as approved on 2010-03-31."""
