-- What the list of sessions shows besides (R96): a projection of session-pinned, session-deleted, session-restored and of the
-- opening, kept in the same transaction and rebuilt from the events by the one command. No earlier version wrote these events.
ALTER TABLE session ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1));
ALTER TABLE session ADD COLUMN deleted_at_ms INTEGER;
ALTER TABLE session ADD COLUMN forked_session TEXT;
ALTER TABLE session ADD COLUMN forked_seq INTEGER;

-- What was typed and not sent (R109), as the window gave it: by project, and there by session; 'new' is the one that has none yet.
CREATE TABLE draft (
  workspace_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, session_id)
) STRICT;
