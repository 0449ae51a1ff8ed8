-- Where a workspace's files came from or went to, for each branch of each repository: what is the same there and here.
CREATE TABLE coherex.workspace_remote (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  url text NOT NULL,
  branch text NOT NULL,
  -- the commit and the version that were synced, and the commit as git keeps it; nothing while the first push is under way
  "commit" text,
  object bytea,
  version bigint,
  -- a push that was begun: the server there may have taken it although nobody here heard of it
  next_commit text,
  next_object bytea,
  next_version bigint,
  -- executable files, links and submodules, which a workspace has not and commits keep
  entries jsonb NOT NULL,
  -- the name of the secret that was used, never its value
  secret text,
  username text,
  by_author jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, workspace_id, url, branch),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);

-- To which hosts a secret may be shown. An admin's use of it opens a host to editors, who could otherwise send a secret
-- that they may not read to a server of their own.
CREATE TABLE coherex.git_secret_host (
  team_id text NOT NULL,
  secret_id text NOT NULL,
  origin text NOT NULL,
  opened_by text NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, secret_id, origin),
  FOREIGN KEY (team_id, secret_id) REFERENCES coherex.secret ON DELETE CASCADE
);

-- Who is in a document through each server process. Lives as long as they are there; nothing is lost with it.
CREATE UNLOGGED TABLE coherex.workspace_presence (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  server text NOT NULL,
  states jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, workspace_id, server),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.workspace_remote, coherex.git_secret_host, coherex.workspace_presence TO :app_role;

ALTER TABLE coherex.workspace_remote ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.workspace_remote FORCE ROW LEVEL SECURITY;
CREATE POLICY of_team ON coherex.workspace_remote
  USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team());

ALTER TABLE coherex.git_secret_host ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.git_secret_host FORCE ROW LEVEL SECURITY;
CREATE POLICY of_team ON coherex.git_secret_host
  USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team());

ALTER TABLE coherex.workspace_presence ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.workspace_presence FORCE ROW LEVEL SECURITY;
CREATE POLICY of_team ON coherex.workspace_presence
  USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team());
