-- MCP servers: what was accepted of them (R54), and the switches that are not in mcp.json.

-- One row for how a server is started, and one for each tool. `definition` is what the hash was made of: a text for the
-- start, JSON for a tool.
CREATE TABLE mcp_pin (
  server TEXT NOT NULL,
  subject TEXT NOT NULL CHECK (subject IN ('start', 'tool')),
  -- Its original name; empty for the start.
  tool TEXT NOT NULL,
  hash TEXT NOT NULL,
  definition TEXT NOT NULL,
  accepted_at_ms INTEGER NOT NULL,
  PRIMARY KEY (server, subject, tool),
  CHECK (subject = 'tool' OR tool = '')
) STRICT;

CREATE TABLE mcp_switch (
  server TEXT NOT NULL,
  -- Null: for every folder.
  workspace_id TEXT,
  -- Null: for the whole server.
  tool TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('here', 'tool', 'network', 'sampling', 'elicitation', 'project-text')),
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1))
) STRICT;

-- A key may hold null only as an index; a tool may have an empty name.
CREATE UNIQUE INDEX mcp_switch_once ON mcp_switch (server, kind, coalesce(workspace_id, ''), tool IS NULL, coalesce(tool, ''));
