-- Whose each writing client of a document is. Yjs names the maker of every character by a number that the client chose
-- itself: the first to use one keeps it, so that nobody can write under another's.
CREATE TABLE coherex.workspace_client (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  client bigint NOT NULL,
  person_id text NOT NULL,
  PRIMARY KEY (team_id, workspace_id, client),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.workspace_client TO :app_role;
ALTER TABLE coherex.workspace_client ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.workspace_client FORCE ROW LEVEL SECURITY;
CREATE POLICY of_team ON coherex.workspace_client
  USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team());
