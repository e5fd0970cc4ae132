-- One row a call of a model (R93): a projection of usage-reported, kept in the same transaction and rebuilt from the events by
-- the one command. What a fork took over from its origin is counted there alone. Money is whole millionths of its currency.
CREATE TABLE usage (
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  workspace_id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  purpose TEXT NOT NULL,
  input_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  -- The provider reported none: counted here.
  estimated INTEGER NOT NULL CHECK (estimated IN (0, 1)),
  duration_ms INTEGER,
  -- Null, both: nobody said a price.
  currency TEXT,
  micros INTEGER,
  PRIMARY KEY (session_id, seq),
  CHECK ((currency IS NULL) = (micros IS NULL))
) STRICT;

-- Holds all that a page sums, so that no row itself is read.
CREATE INDEX usage_by_time ON usage (at_ms, workspace_id, session_id, provider, model, currency, micros, input_tokens, cached_tokens, output_tokens, estimated, duration_ms);

-- Ceilings of a day that the person raised: a projection of budget-raised.
CREATE TABLE budget_raise (
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  currency TEXT NOT NULL,
  micros INTEGER NOT NULL,
  PRIMARY KEY (session_id, seq)
) STRICT;

CREATE INDEX budget_raise_by_time ON budget_raise (at_ms);

CREATE INDEX call_by_decision ON call (decided_at_ms);
