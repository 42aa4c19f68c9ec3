"""Rendering the training pictures on all cores, resumably: a picture that exists is not made again."""
