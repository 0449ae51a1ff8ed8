CREATE TABLE coherex.agent (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('draft', 'active', 'paused', 'archived')),
  -- the newest; versions are never changed
  version integer NOT NULL,
  created_by text NOT NULL,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, name)
);

CREATE TABLE coherex.agent_version (
  team_id text NOT NULL,
  agent_name text NOT NULL,
  version integer NOT NULL,
  -- as it was written, comments and all
  source text NOT NULL,
  definition jsonb NOT NULL,
  note text NOT NULL,
  created_by text NOT NULL,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, agent_name, version),
  FOREIGN KEY (team_id, agent_name) REFERENCES coherex.agent ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.agent TO :app_role;
GRANT SELECT, INSERT, DELETE ON coherex.agent_version TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['agent', 'agent_version'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
