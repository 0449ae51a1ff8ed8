CREATE TABLE coherex.tool (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  name text NOT NULL,
  -- what `latest` means; none while nothing is published
  active_version integer,
  -- the last number that was given out
  newest_version integer NOT NULL,
  unpublished_at timestamptz,
  -- why nobody should begin to use it, and what instead
  deprecation text,
  -- who answers for it; whoever made it unless said
  owner_id text,
  owner_name text,
  created_by text NOT NULL,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, name)
);

CREATE TABLE coherex.tool_version (
  team_id text NOT NULL,
  tool_name text NOT NULL,
  version integer NOT NULL,
  state text NOT NULL CHECK (state IN ('proposed', 'approved', 'rejected')),
  -- tool.yaml as it was read
  definition jsonb NOT NULL,
  -- JSON Schema, whatever the code wrote
  input_schema jsonb NOT NULL,
  output_schema jsonb NOT NULL,
  -- of its packages; none where it names none
  lock text,
  note text NOT NULL,
  digest text NOT NULL,
  size integer NOT NULL,
  created_by text NOT NULL,
  created_by_name text NOT NULL,
  by_agent text,
  thread_id text,
  turn_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_by text,
  decided_by_name text,
  decided_at timestamptz,
  decision_note text,
  PRIMARY KEY (team_id, tool_name, version),
  FOREIGN KEY (team_id, tool_name) REFERENCES coherex.tool ON DELETE CASCADE
);
CREATE INDEX tool_version_proposed ON coherex.tool_version (team_id, tool_name) WHERE state = 'proposed';

CREATE TABLE coherex.tool_file (
  team_id text NOT NULL,
  tool_name text NOT NULL,
  version integer NOT NULL,
  path text NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (team_id, tool_name, version, path),
  FOREIGN KEY (team_id, tool_name, version) REFERENCES coherex.tool_version ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.tool TO :app_role;
-- what was decided can be written down; what a version says cannot be changed
GRANT SELECT, INSERT, DELETE, UPDATE (state, decided_by, decided_by_name, decided_at, decision_note) ON coherex.tool_version TO :app_role;
GRANT SELECT, INSERT, DELETE ON coherex.tool_file TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tool', 'tool_version', 'tool_file'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
