-- The record (docs/adr/0005-sqlite-in-a-worker.md). Ids are full-length texts, times milliseconds since the Unix epoch,
-- booleans 0 or 1, structured values JSON. Every table is STRICT: a wrong type is a bug and must not be stored.

CREATE TABLE workspace (
  id TEXT NOT NULL PRIMARY KEY,
  root TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  added_at_ms INTEGER NOT NULL
) STRICT;

-- The one record: append-only, seq from 1 without gaps in a session.
CREATE TABLE event (
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL CHECK (seq > 0),
  type TEXT NOT NULL,
  v INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  turn_id TEXT,
  step INTEGER,
  payload TEXT NOT NULL,
  PRIMARY KEY (session_id, seq)
) STRICT;

CREATE TRIGGER event_keeps BEFORE UPDATE ON event BEGIN SELECT RAISE (ABORT, 'events are not changed'); END;
CREATE TRIGGER event_stays BEFORE DELETE ON event BEGIN SELECT RAISE (ABORT, 'events are not deleted'); END;

-- Exactly one result per call.
CREATE UNIQUE INDEX event_one_result ON event (session_id, json_extract(payload, '$.callId')) WHERE type = 'tool-finished';

-- A projection of the events, kept in the same transaction and rebuilt from them by one command.
CREATE TABLE session (
  id TEXT NOT NULL PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace (id),
  title TEXT NOT NULL,
  opened_at_ms INTEGER NOT NULL,
  last_at_ms INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('idle', 'running', 'waiting', 'stopped', 'failed')),
  -- The turn that has not ended, and the process that runs it.
  open_turn TEXT,
  owner_pid INTEGER,
  owner_started TEXT,
  owner_scope TEXT
) STRICT;

CREATE INDEX session_newest ON session (workspace_id, last_at_ms DESC);

-- The journal: one row a call, five states.
CREATE TABLE call (
  call_id TEXT NOT NULL PRIMARY KEY,
  provider_call_id TEXT NOT NULL,
  session_id TEXT NOT NULL REFERENCES session (id),
  turn_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  call_index INTEGER NOT NULL,
  tool TEXT NOT NULL,
  effect TEXT NOT NULL CHECK (effect IN ('read', 'write', 'execute', 'network')),
  proposed TEXT NOT NULL,
  approved TEXT,
  effective TEXT,
  args_hash TEXT,
  state TEXT NOT NULL CHECK (state IN ('intent', 'approved', 'refused', 'started', 'finished')),
  decided_by TEXT,
  rule_id TEXT,
  asked_at_ms INTEGER,
  decided_at_ms INTEGER,
  started_at_ms INTEGER,
  finished_at_ms INTEGER,
  before_snapshot TEXT,
  after_snapshot TEXT,
  pid INTEGER,
  writes TEXT NOT NULL,
  outcome TEXT,
  CHECK (state <> 'started' OR effect NOT IN ('write', 'execute') OR before_snapshot IS NOT NULL)
) STRICT;

CREATE INDEX call_of_session ON call (session_id);

CREATE TABLE snapshot (
  id TEXT NOT NULL PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace (id),
  tree TEXT NOT NULL,
  side TEXT NOT NULL,
  git_commit TEXT NOT NULL,
  parent TEXT,
  kind TEXT NOT NULL,
  author TEXT,
  others TEXT NOT NULL,
  session_id TEXT,
  call_id TEXT,
  at_ms INTEGER NOT NULL,
  files INTEGER NOT NULL,
  skipped TEXT NOT NULL
) STRICT;

CREATE INDEX snapshot_of_workspace ON snapshot (workspace_id);

CREATE TABLE rollback (
  id TEXT NOT NULL PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace (id),
  plan TEXT NOT NULL,
  scope TEXT NOT NULL,
  session_id TEXT,
  turn_id TEXT,
  state TEXT NOT NULL CHECK (state IN ('planned', 'applying', 'applied', 'partly', 'undone')),
  before_snapshot TEXT,
  after_snapshot TEXT,
  undo_of TEXT,
  at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX rollback_of_workspace ON rollback (workspace_id);

-- Each applied path, so that a killed rollback is finished or reverted at the next start.
CREATE TABLE rollback_path (
  rollback_id TEXT NOT NULL REFERENCES rollback (id),
  -- As JSON: a name may hold what is no UTF-8.
  path TEXT NOT NULL,
  -- Why it failed, as JSON; null for one that is done.
  fault TEXT,
  PRIMARY KEY (rollback_id, path)
) STRICT;

-- The queue for the right to change files: the lowest living ticket of a workspace holds it.
CREATE TABLE lane (
  ticket INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT NOT NULL,
  owner_pid INTEGER NOT NULL,
  owner_started TEXT NOT NULL,
  owner_scope TEXT NOT NULL,
  heartbeat_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX lane_of_workspace ON lane (workspace_id, ticket);

-- The end of the audit chain at the last turn's end: a cut tail shows against it.
CREATE TABLE audit_head (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  entries INTEGER NOT NULL,
  chain TEXT NOT NULL
) STRICT;
