"""Simulated games: players, hands, a camera over the table, and the truth of it all. The public names are in `game`."""
