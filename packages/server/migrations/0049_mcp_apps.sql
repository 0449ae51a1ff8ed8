-- views that MCP servers declare for their tools, as they were when a call last needed them
CREATE TABLE coherex.mcp_app (
  team_id text NOT NULL,
  server_name text NOT NULL,
  uri text NOT NULL,
  html text NOT NULL,
  prefers_border boolean NOT NULL,
  read_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, server_name, uri),
  FOREIGN KEY (team_id, server_name) REFERENCES coherex.mcp_server ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.mcp_app TO :app_role;
ALTER TABLE coherex.mcp_app ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.mcp_app FORCE ROW LEVEL SECURITY;
CREATE POLICY of_team ON coherex.mcp_app USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team());
