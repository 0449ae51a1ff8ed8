-- Environment variables of tools, as workspaces and agents have them: settings that whoever may run code can read.
CREATE TABLE coherex.tool_variable (
  team_id text NOT NULL,
  tool_name text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  updated_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, tool_name, name),
  FOREIGN KEY (team_id, tool_name) REFERENCES coherex.tool ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.tool_variable TO :app_role;

ALTER TABLE coherex.tool_variable ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.tool_variable FORCE ROW LEVEL SECURITY;
CREATE POLICY of_team ON coherex.tool_variable USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team());
