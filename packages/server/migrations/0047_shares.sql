-- Artifacts that were shown to the team or to anyone. A share reads with the rights of who made it, and goes when they leave the team.
CREATE TABLE coherex.share (
  team_id text NOT NULL,
  id text NOT NULL,
  artifact_id text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('view', 'run')),
  reach text NOT NULL CHECK (reach IN ('team', 'public')),
  is_listed boolean NOT NULL,
  title text NOT NULL,
  kind text NOT NULL,
  language text NOT NULL,
  created_by text NOT NULL,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  PRIMARY KEY (team_id, id),
  FOREIGN KEY (team_id, artifact_id) REFERENCES coherex.artifact ON DELETE CASCADE,
  FOREIGN KEY (team_id, created_by) REFERENCES coherex.member ON DELETE CASCADE
);
CREATE INDEX share_of_artifact ON coherex.share (team_id, artifact_id, id);
CREATE INDEX share_of_person ON coherex.share (team_id, created_by);
GRANT SELECT, INSERT, DELETE ON coherex.share TO :app_role;
ALTER TABLE coherex.share ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.share FORCE ROW LEVEL SECURITY;
CREATE POLICY of_team ON coherex.share USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team());

-- What an address that anyone may open leads to. Only hashes are kept: an address is told once.
CREATE TABLE coherex_auth.share_token (
  hash text PRIMARY KEY,
  team_id text NOT NULL,
  share_id text NOT NULL,
  FOREIGN KEY (team_id, share_id) REFERENCES coherex.share ON DELETE CASCADE
);
CREATE INDEX share_token_share ON coherex_auth.share_token (team_id, share_id);
GRANT SELECT, INSERT, DELETE ON coherex_auth.share_token TO :app_role;
