CREATE TABLE coherex.workspace (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  template text NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  archived_at timestamptz,
  -- days that versions and the log are kept; for ever when not set
  retention_days integer,
  -- the last update of the log and the last version: whoever writes locks this row, so both count without gaps
  seq bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0,
  version_seq bigint NOT NULL DEFAULT 0,
  -- bytes of updates since the snapshot
  log_bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (team_id, id)
);

-- The document as it was after update number `seq`.
CREATE TABLE coherex.workspace_snapshot (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  seq bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (team_id, workspace_id),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);
-- it is read at every load: compressing it again and again would cost more than its space
ALTER TABLE coherex.workspace_snapshot ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Updates since the snapshot, each with who made it.
CREATE TABLE coherex.workspace_update (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  seq bigint NOT NULL,
  bytes bytea NOT NULL,
  author jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, workspace_id, seq),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);

-- Updates that a snapshot covers, many in one compressed row: the log is kept whole.
CREATE TABLE coherex.workspace_log (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  last_seq bigint NOT NULL,
  first_seq bigint NOT NULL,
  last_at timestamptz NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (team_id, workspace_id, last_seq),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);
ALTER TABLE coherex.workspace_log ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE coherex.workspace_version (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  number bigint NOT NULL,
  -- the last update it holds
  seq bigint NOT NULL,
  author jsonb NOT NULL,
  coauthors jsonb NOT NULL DEFAULT '[]',
  message text,
  -- the first of its changes, for lists; all of them are in workspace_change
  changes jsonb NOT NULL,
  change_count integer NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, workspace_id, number),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);

-- What a version made of a path; without a hash the path is gone. The tree of any version is the last of these for each path.
CREATE TABLE coherex.workspace_change (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  path text NOT NULL,
  number bigint NOT NULL,
  kind text,
  hash text,
  size bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (team_id, workspace_id, path, number),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);
CREATE INDEX workspace_change_number ON coherex.workspace_change (team_id, workspace_id, number);

-- The tree of the last version, so that opening a workspace reads no history.
CREATE TABLE coherex.workspace_file (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  path text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('text', 'blob')),
  hash text NOT NULL,
  size bigint NOT NULL,
  number bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (team_id, workspace_id, path),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);

-- Contents by their SHA-256: texts compressed, against `base` where that is shorter; blobs are named only.
CREATE TABLE coherex.workspace_content (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  hash text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('text', 'blob')),
  base text,
  bytes bytea,
  -- what it takes in the store
  stored_bytes bigint NOT NULL,
  PRIMARY KEY (team_id, workspace_id, hash),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);
ALTER TABLE coherex.workspace_content ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX workspace_content_blob ON coherex.workspace_content (team_id, hash) WHERE kind = 'blob';

CREATE TABLE coherex.workspace_tag (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  name text NOT NULL,
  number bigint NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, workspace_id, name),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);

-- Edits of agents that touch what a person changed meanwhile; a person decides.
CREATE TABLE coherex.workspace_proposal (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  id text NOT NULL,
  path text NOT NULL,
  author jsonb NOT NULL,
  message text,
  read_version bigint NOT NULL,
  -- the text as the agent knew it, and as it wants it, compressed
  before bytea NOT NULL,
  after bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'accepted', 'rejected')),
  decided_by jsonb,
  note text,
  version bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  PRIMARY KEY (team_id, workspace_id, id),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.workspace, coherex.workspace_snapshot, coherex.workspace_update,
  coherex.workspace_log, coherex.workspace_version, coherex.workspace_change, coherex.workspace_file,
  coherex.workspace_content, coherex.workspace_tag, coherex.workspace_proposal TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['workspace', 'workspace_snapshot', 'workspace_update', 'workspace_log', 'workspace_version',
    'workspace_change', 'workspace_file', 'workspace_content', 'workspace_tag', 'workspace_proposal'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
