-- Lists of what points do not hold, each once: most points have the same. The `skipped` of a point is its list, or {"list": id}.
CREATE TABLE skip_list (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  lines TEXT NOT NULL
) STRICT;

-- What a point changed, as its row of the timeline shows it; found out when it is first shown, and true for ever.
CREATE TABLE snapshot_summary (
  snapshot_id TEXT NOT NULL PRIMARY KEY REFERENCES snapshot (id),
  summary TEXT NOT NULL
) STRICT;

-- Points that were let go: how many, and when the newest of them was taken.
CREATE TABLE snapshot_forgotten (
  workspace_id TEXT NOT NULL PRIMARY KEY REFERENCES workspace (id),
  points INTEGER NOT NULL,
  until_ms INTEGER NOT NULL
) STRICT;

-- Where a rollback went, beside its plan, which may be long.
CREATE TABLE rollback_target (
  rollback_id TEXT NOT NULL PRIMARY KEY REFERENCES rollback (id),
  target TEXT NOT NULL
) STRICT;
INSERT INTO rollback_target (rollback_id, target) SELECT id, json_extract(plan, '$.target') FROM rollback;
