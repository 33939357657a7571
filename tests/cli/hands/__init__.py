"""Tricky hands by game, worked out by hand from the documents and the rulings before the product was asked."""
