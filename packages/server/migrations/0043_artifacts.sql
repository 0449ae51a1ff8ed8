-- Fences of messages that people edited or ran. A row is there from the first edit or run; version 1 is the text of the message.
CREATE TABLE coherex.artifact (
  team_id text NOT NULL,
  id text NOT NULL,
  thread_id text NOT NULL,
  message_id text NOT NULL,
  -- among the fences of the message
  fence integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('code', 'html', 'react', 'svg', 'mermaid', 'vega', 'markdown')),
  language text NOT NULL,
  title text,
  version integer NOT NULL DEFAULT 1,
  run_id text,
  PRIMARY KEY (team_id, id),
  UNIQUE (team_id, message_id, fence),
  FOREIGN KEY (team_id, thread_id) REFERENCES coherex.thread ON DELETE CASCADE,
  FOREIGN KEY (team_id, message_id) REFERENCES coherex.message ON DELETE CASCADE
);
CREATE INDEX artifact_of_thread ON coherex.artifact (team_id, thread_id);

CREATE TABLE coherex.artifact_version (
  team_id text NOT NULL,
  artifact_id text NOT NULL,
  version integer NOT NULL,
  code text NOT NULL,
  created_by text NOT NULL,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, artifact_id, version),
  FOREIGN KEY (team_id, artifact_id) REFERENCES coherex.artifact ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE (version, run_id), DELETE ON coherex.artifact TO :app_role;
GRANT SELECT, INSERT, DELETE ON coherex.artifact_version TO :app_role;

ALTER TABLE coherex.artifact ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.artifact FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.artifact_version ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.artifact_version FORCE ROW LEVEL SECURITY;
-- seen and written with its thread
CREATE POLICY of_team ON coherex.artifact
  USING (team_id = coherex.current_team() AND EXISTS (
    SELECT FROM coherex.thread WHERE thread.team_id = artifact.team_id AND thread.id = artifact.thread_id))
  WITH CHECK (team_id = coherex.current_team() AND EXISTS (
    SELECT FROM coherex.thread WHERE thread.team_id = artifact.team_id AND thread.id = artifact.thread_id));
CREATE POLICY of_team ON coherex.artifact_version
  USING (team_id = coherex.current_team() AND EXISTS (
    SELECT FROM coherex.artifact WHERE artifact.team_id = artifact_version.team_id AND artifact.id = artifact_version.artifact_id))
  WITH CHECK (team_id = coherex.current_team() AND EXISTS (
    SELECT FROM coherex.artifact WHERE artifact.team_id = artifact_version.team_id AND artifact.id = artifact_version.artifact_id));

-- an execution of an artifact is a run; one in a browser is what its client said of it
ALTER TABLE coherex.run
  ADD COLUMN artifact_id text,
  ADD COLUMN artifact_version integer,
  ADD COLUMN reported_by text CHECK (reported_by = 'client');
CREATE INDEX run_of_artifact ON coherex.run (team_id, artifact_id, id) WHERE artifact_id IS NOT NULL;
