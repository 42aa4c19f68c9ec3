"""The workshop where the weights are made: crops, networks, training. Needs the extra `train` (torch, ultralytics)."""
