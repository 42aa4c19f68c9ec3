"""The log's tables, as numbered steps: a database of version n gets the steps after n, in order, in one transaction."""

APPLICATION_ID = 0x52756D52
"""Marks a database as this program's (`PRAGMA application_id`): the letters `RumR`."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE events (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            game INTEGER NOT NULL,
            match INTEGER NOT NULL,
            imported INTEGER NOT NULL DEFAULT 0,
            wall_ms INTEGER NOT NULL,
            kind TEXT NOT NULL,
            version INTEGER NOT NULL,
            body TEXT NOT NULL
        )""",
        "CREATE INDEX events_of_game ON events (game)",
        """CREATE TABLE clock (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            game INTEGER NOT NULL,
            turn INTEGER NOT NULL,
            used_ms INTEGER NOT NULL
        )""",
    ),
    ("CREATE TABLE house_rules (name TEXT PRIMARY KEY, rules TEXT NOT NULL)",),
)
"""`game` and `match` are the sequence numbers of the events that began them; `body` is the record form, as JSON."""

SCHEMA = len(MIGRATIONS)
"""The version of the log's tables that this program writes (`PRAGMA user_version`)."""
