"""Every prompt that Inlay sends, in one place; pure text in, pure text out."""
