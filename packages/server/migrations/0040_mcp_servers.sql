CREATE TABLE coherex.mcp_server (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  name text NOT NULL,
  -- where it is and how it is reached; secrets by name
  place jsonb NOT NULL,
  -- changes with the place: what was made for another one does not count any more
  number integer NOT NULL DEFAULT 1,
  status text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'ready', 'sign-in', 'failed')),
  problem text,
  -- as it calls itself
  title text,
  protocol text,
  checked_at timestamptz,
  -- when an admin last chose among its tools: what came later waits for one
  decided_at timestamptz,
  created_by text NOT NULL,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, name)
);

CREATE TABLE coherex.mcp_tool (
  team_id text NOT NULL,
  server_name text NOT NULL,
  name text NOT NULL,
  offered_as text NOT NULL,
  -- as its server tells it now, and as it was approved
  told jsonb NOT NULL,
  hash text NOT NULL,
  approved jsonb,
  approved_hash text,
  -- why it cannot be approved
  problem text,
  is_gone boolean NOT NULL DEFAULT false,
  changed_at timestamptz NOT NULL DEFAULT now(),
  approved_by text,
  approved_by_name text,
  approved_at timestamptz,
  PRIMARY KEY (team_id, server_name, name),
  FOREIGN KEY (team_id, server_name) REFERENCES coherex.mcp_server ON DELETE CASCADE
);

-- tokens and clients of OAuth, sealed
CREATE TABLE coherex.mcp_credential (
  team_id text NOT NULL,
  server_name text NOT NULL,
  sealed bytea NOT NULL,
  PRIMARY KEY (team_id, server_name),
  FOREIGN KEY (team_id, server_name) REFERENCES coherex.mcp_server ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.mcp_server, coherex.mcp_tool, coherex.mcp_credential TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['mcp_server', 'mcp_tool', 'mcp_credential'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
