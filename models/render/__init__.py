"""The renderer: from tiles, a camera and a light to a picture and its exact truth; the inverse of reading."""
