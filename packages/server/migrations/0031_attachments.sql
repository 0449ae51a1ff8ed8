-- Files that people give to a conversation. They are uploaded before the message they belong to is said.
CREATE TABLE coherex.attachment (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  id text NOT NULL,
  person_id text NOT NULL,
  name text NOT NULL,
  media_type text NOT NULL,
  size bigint NOT NULL,
  hash text NOT NULL,
  -- null until its message is said, and again when the thread is gone
  thread_id text,
  -- where the agent finds it: in the thread's sandbox or workspace; null for an image, which is part of the message
  place text CHECK (place IN ('sandbox', 'workspace')),
  path text,
  -- the sandbox that has it
  laid_in text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id),
  FOREIGN KEY (team_id, thread_id) REFERENCES coherex.thread ON DELETE SET NULL (thread_id)
);
CREATE INDEX attachment_of_thread ON coherex.attachment (team_id, thread_id);
CREATE INDEX attachment_of_blob ON coherex.attachment (team_id, hash);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.attachment TO :app_role;
ALTER TABLE coherex.attachment ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.attachment FORCE ROW LEVEL SECURITY;
-- seen with its thread
CREATE POLICY of_team ON coherex.attachment
  USING (team_id = coherex.current_team() AND (thread_id IS NULL OR EXISTS (
    SELECT FROM coherex.thread WHERE thread.team_id = attachment.team_id AND thread.id = attachment.thread_id)))
  WITH CHECK (team_id = coherex.current_team());
