"""Views: pure functions from what stands in the books to frozen values that a template only lays out.

Money is worked out and written here; neither a template nor a script computes an amount.
"""
