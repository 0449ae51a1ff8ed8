CREATE TABLE coherex.skill (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  name text NOT NULL,
  -- what agents get; none while nobody approved one
  active_version integer,
  -- the last number that was given out
  newest_version integer NOT NULL,
  archived_at timestamptz,
  created_by text NOT NULL,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, name)
);

CREATE TABLE coherex.skill_version (
  team_id text NOT NULL,
  skill_name text NOT NULL,
  version integer NOT NULL,
  state text NOT NULL CHECK (state IN ('proposed', 'approved', 'rejected')),
  front_matter jsonb NOT NULL,
  note text NOT NULL,
  digest text NOT NULL,
  size integer NOT NULL,
  -- the person, or for whom an agent wrote it
  created_by text NOT NULL,
  created_by_name text NOT NULL,
  agent_name text,
  thread_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_by text,
  decided_by_name text,
  decided_at timestamptz,
  decision_note text,
  PRIMARY KEY (team_id, skill_name, version),
  FOREIGN KEY (team_id, skill_name) REFERENCES coherex.skill ON DELETE CASCADE
);
CREATE INDEX skill_version_proposed ON coherex.skill_version (team_id, skill_name) WHERE state = 'proposed';

CREATE TABLE coherex.skill_file (
  team_id text NOT NULL,
  skill_name text NOT NULL,
  version integer NOT NULL,
  path text NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (team_id, skill_name, version, path),
  FOREIGN KEY (team_id, skill_name, version) REFERENCES coherex.skill_version ON DELETE CASCADE
);

-- Folders of workspaces that a person approved, by what was in them then.
CREATE TABLE coherex.workspace_skill (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  digest text NOT NULL,
  workspace_version bigint NOT NULL,
  approved_by text NOT NULL,
  approved_by_name text NOT NULL,
  approved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, workspace_id, name),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.skill, coherex.workspace_skill TO :app_role;
-- what was decided can be written down; what a version says cannot be changed
GRANT SELECT, INSERT, DELETE, UPDATE (state, decided_by, decided_by_name, decided_at, decision_note) ON coherex.skill_version TO :app_role;
GRANT SELECT, INSERT, DELETE ON coherex.skill_file TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['skill', 'skill_version', 'skill_file', 'workspace_skill'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
