-- Long-term memory (R34): one store for all projects.

CREATE TABLE memory (
  -- Follows the time an entry was last said, so that "newest first" is the order of the table and of its index: adapters/sqlite/memory/slots.
  slot INTEGER NOT NULL PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL,
  -- As it is compared and searched: shared/domain/termText.
  normal TEXT NOT NULL,
  -- Its terms, each on a line.
  terms TEXT NOT NULL,
  -- The number of its project in the index; 0 is general.
  scope INTEGER NOT NULL,
  workspace_id TEXT,
  source TEXT NOT NULL,
  is_pinned INTEGER NOT NULL CHECK (is_pinned IN (0, 1)),
  at_ms INTEGER NOT NULL,
  rev INTEGER NOT NULL CHECK (rev > 0),
  -- In the bin: since when, and what it was put there with.
  deleted_at_ms INTEGER,
  batch TEXT,
  CHECK ((scope = 0) = (workspace_id IS NULL)),
  CHECK ((deleted_at_ms IS NULL) = (batch IS NULL))
) STRICT;

CREATE INDEX memory_of_scope ON memory (scope, deleted_at_ms, at_ms);
CREATE INDEX memory_of_workspace ON memory (workspace_id) WHERE workspace_id IS NOT NULL;
CREATE INDEX memory_pinned ON memory (scope) WHERE is_pinned = 1 AND deleted_at_ms IS NULL;
CREATE INDEX memory_in_bin ON memory (deleted_at_ms) WHERE deleted_at_ms IS NOT NULL;
CREATE INDEX memory_same ON memory (substr(normal, 1, 64));

-- A projection of `memory` without the bin, kept in the same transaction. What is fed is made by adapters/sqlite/memory/feed:
-- terms, single and neighbouring characters of scripts without spaces, and three neighbouring ones of names; each marked with
-- scope and pin. It is made anew by 'delete-all' and feeding every row that is not in the bin.
CREATE VIRTUAL TABLE memory_index USING fts5 (feed, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars ':~_.+#%'");
-- Each part of the index is looked into by every search: few are kept.
INSERT INTO memory_index (memory_index, rank) VALUES ('automerge', 2);
