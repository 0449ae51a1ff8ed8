-- What a template's sandboxes get; its packages are built once and laid out again from blobs.
CREATE TABLE coherex.template (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  name text NOT NULL,
  version integer NOT NULL,
  description text NOT NULL,
  packages jsonb NOT NULL,
  -- text by path, put into the home directory
  files jsonb NOT NULL,
  start text,
  bytes bigint NOT NULL,
  person_id text NOT NULL,
  person_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, name, version)
);

CREATE TABLE coherex.template_file (
  team_id text NOT NULL,
  name text NOT NULL,
  version integer NOT NULL,
  path text NOT NULL,
  size bigint NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (team_id, name, version, path),
  FOREIGN KEY (team_id, name, version) REFERENCES coherex.template ON DELETE CASCADE
);
CREATE INDEX template_file_hash ON coherex.template_file (team_id, hash);

CREATE TABLE coherex.sandbox (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('running', 'sleeping', 'ended')),
  -- why it sleeps or has ended
  reason text,
  notice text,
  -- whom it was made for; kept when they leave
  person_id text NOT NULL,
  person_name text NOT NULL,
  -- the server process that holds it while it runs
  server_id text NOT NULL,
  language text,
  template_name text,
  template_version integer,
  limits jsonb NOT NULL,
  network jsonb,
  env jsonb NOT NULL,
  idle_timeout_ms integer NOT NULL,
  forked_from text,
  -- as they were after the last cell, so that a crash can be told
  sessions jsonb NOT NULL DEFAULT '[]',
  -- files that did not fit into the team's storage
  left_out integer NOT NULL DEFAULT 0,
  -- shared addresses that were made before this moment are void
  shares_since timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  PRIMARY KEY (team_id, id)
);
CREATE INDEX sandbox_open ON coherex.sandbox (team_id, status) WHERE status <> 'ended';

-- What a sandbox's home directory held when it was last saved. Folders have no hash.
CREATE TABLE coherex.sandbox_file (
  team_id text NOT NULL,
  sandbox_id text NOT NULL,
  path text NOT NULL,
  size bigint NOT NULL,
  hash text,
  modified_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, sandbox_id, path),
  FOREIGN KEY (team_id, sandbox_id) REFERENCES coherex.sandbox ON DELETE CASCADE
);
CREATE INDEX sandbox_file_hash ON coherex.sandbox_file (team_id, hash);

-- The cells whose variables its sessions have, or had before it slept, in the order of their ids.
CREATE TABLE coherex.sandbox_cell (
  team_id text NOT NULL,
  sandbox_id text NOT NULL,
  run_id text NOT NULL,
  context text NOT NULL,
  PRIMARY KEY (team_id, sandbox_id, run_id),
  FOREIGN KEY (team_id, sandbox_id) REFERENCES coherex.sandbox ON DELETE CASCADE,
  FOREIGN KEY (team_id, run_id) REFERENCES coherex.run ON DELETE CASCADE
);

CREATE INDEX run_sandbox ON coherex.run (team_id, (request->>'sandboxId'), id) WHERE request->>'sandboxId' IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE
  ON coherex.template, coherex.template_file, coherex.sandbox, coherex.sandbox_file, coherex.sandbox_cell TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['template', 'template_file', 'sandbox', 'sandbox_file', 'sandbox_cell'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
