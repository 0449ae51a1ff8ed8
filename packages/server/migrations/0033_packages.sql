-- What a team's members may add; a team without a row has the policy of the contract.
CREATE TABLE coherex.package_policy (
  team_id text PRIMARY KEY REFERENCES coherex.team ON DELETE CASCADE,
  policy jsonb NOT NULL,
  updated_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- What requirements were resolved to. The hash names the packages, whatever was asked for.
CREATE TABLE coherex.package_lock (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  hash text NOT NULL,
  language text NOT NULL,
  requirements jsonb NOT NULL,
  packages jsonb NOT NULL,
  -- a registry of the team's own: its set is nobody else's
  index text,
  asked_by text NOT NULL,
  asked_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, hash)
);
CREATE INDEX package_lock_newest ON coherex.package_lock (team_id, created_at DESC, hash DESC);

-- The lock that the same question got, for as long as it is not asked anew.
CREATE TABLE coherex.package_resolution (
  team_id text NOT NULL,
  key text NOT NULL,
  hash text NOT NULL,
  resolved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, key),
  FOREIGN KEY (team_id, hash) REFERENCES coherex.package_lock ON DELETE CASCADE
);
CREATE INDEX package_resolution_of_lock ON coherex.package_resolution (team_id, hash);

-- Packages that the audit log has told of.
CREATE TABLE coherex.package_seen (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  language text NOT NULL,
  name text NOT NULL,
  version text NOT NULL,
  PRIMARY KEY (team_id, language, name, version)
);

-- What names a lock and keeps it: a workspace, a template, a sandbox, a tool.
CREATE TABLE coherex.package_use (
  team_id text NOT NULL,
  kind text NOT NULL,
  owner_id text NOT NULL,
  hash text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (team_id, kind, owner_id, hash),
  FOREIGN KEY (team_id, hash) REFERENCES coherex.package_lock
);
CREATE INDEX package_use_of_lock ON coherex.package_use (team_id, hash);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.package_policy, coherex.package_lock, coherex.package_resolution,
  coherex.package_seen, coherex.package_use TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['package_policy', 'package_lock', 'package_resolution', 'package_seen', 'package_use'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
