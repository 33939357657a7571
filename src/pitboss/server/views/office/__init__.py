"""Views of the back office, named as its pages."""
