-- What the person said of an item of a folder with exactly one content: instructions and skills by path, servers by name.
CREATE TABLE trust (
  workspace_id TEXT NOT NULL REFERENCES workspace (id),
  kind TEXT NOT NULL CHECK (kind IN ('instructions', 'server', 'skill')),
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  is_trusted INTEGER NOT NULL CHECK (is_trusted IN (0, 1)),
  decided_at_ms INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, kind, name, hash)
) STRICT;

-- Remembered answers. The numbers are what people read in the record, so that none is ever given twice. `workspace_id` null:
-- in every project. Counts and moments that are null have no end.
CREATE TABLE rule (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT REFERENCES workspace (id),
  effect TEXT NOT NULL CHECK (effect IN ('allow', 'ask', 'deny')),
  shape TEXT NOT NULL,
  created_from_call TEXT,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER,
  uses_left INTEGER CHECK (uses_left >= 0),
  last_used_at_ms INTEGER,
  uses INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What a rule is tried on: past calls of a tool, the newest first.
CREATE INDEX call_of_tool ON call (tool);

-- Sessions in which something was allowed for longer than once.
CREATE INDEX event_of_grant ON event (session_id) WHERE type = 'grant-given';
