-- Skills: which are switched off or on, and when each was used. A skill is known by whose folder it lies in and its path there.

CREATE TABLE skill_switch (
  origin TEXT NOT NULL CHECK (origin IN ('app', 'user', 'project')),
  path TEXT NOT NULL,
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  PRIMARY KEY (origin, path)
) STRICT;

CREATE TABLE skill_use (
  origin TEXT NOT NULL CHECK (origin IN ('app', 'user', 'project')),
  path TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX skill_use_of ON skill_use (origin, path, at_ms);
