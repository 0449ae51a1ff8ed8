-- Programs are stored once for each team, however often they are run.
CREATE TABLE coherex.program (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  hash text NOT NULL,
  code text NOT NULL,
  entry text NOT NULL,
  files jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, hash)
);

CREATE TABLE coherex.run (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  id text NOT NULL,
  -- who it was run for; kept when they leave
  person_id text NOT NULL,
  person_name text NOT NULL,
  -- the server process that holds it
  server_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'loading', 'running', 'succeeded', 'failed', 'cancelled')),
  language text NOT NULL,
  program_hash text NOT NULL,
  -- everything asked for but the program
  request jsonb NOT NULL,
  -- null in JSON is a value, so the absence of one is the absence of the row's value
  receipt jsonb,
  output jsonb NOT NULL DEFAULT '[]',
  result jsonb,
  error jsonb,
  signs jsonb NOT NULL DEFAULT '[]',
  requests jsonb NOT NULL DEFAULT '[]',
  truncated boolean NOT NULL DEFAULT false,
  queued_ms double precision NOT NULL DEFAULT 0,
  duration_ms double precision NOT NULL DEFAULT 0,
  peak_memory_mb double precision,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  ended_at timestamptz,
  PRIMARY KEY (team_id, id),
  FOREIGN KEY (team_id, program_hash) REFERENCES coherex.program
);
CREATE INDEX run_open ON coherex.run (team_id, server_id) WHERE ended_at IS NULL;

CREATE TABLE coherex.run_file (
  team_id text NOT NULL,
  run_id text NOT NULL,
  path text NOT NULL,
  size bigint NOT NULL,
  hash text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, run_id, path),
  FOREIGN KEY (team_id, run_id) REFERENCES coherex.run ON DELETE CASCADE
);
CREATE INDEX run_file_age ON coherex.run_file (team_id, expires_at);
CREATE INDEX run_file_hash ON coherex.run_file (team_id, hash);

-- What a team used on a day, in UTC, so that a quota is one row to read.
CREATE TABLE coherex.usage_day (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  day date NOT NULL,
  runs bigint NOT NULL DEFAULT 0,
  run_ms double precision NOT NULL DEFAULT 0,
  PRIMARY KEY (team_id, day)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.program, coherex.run, coherex.run_file, coherex.usage_day TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['program', 'run', 'run_file', 'usage_day'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
