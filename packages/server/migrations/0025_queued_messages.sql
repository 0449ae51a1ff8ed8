-- What people say while an agent works, until a turn takes it up. A row goes in the transaction that makes it part of the conversation.
CREATE TABLE coherex.queued_message (
  team_id text NOT NULL,
  id text NOT NULL,
  thread_id text NOT NULL,
  parts jsonb NOT NULL,
  -- for a turn of its own; null is the thread's
  model text,
  person_id text NOT NULL,
  person_name text NOT NULL,
  -- what the person came with: session or key, and its scopes
  acting jsonb NOT NULL,
  -- why it could not be said; it is not tried again by itself
  problem text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id),
  FOREIGN KEY (team_id, thread_id) REFERENCES coherex.thread ON DELETE CASCADE
);
CREATE INDEX queued_message_order ON coherex.queued_message (team_id, thread_id, created_at, id);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.queued_message TO :app_role;
ALTER TABLE coherex.queued_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.queued_message FORCE ROW LEVEL SECURITY;
-- seen with its thread
CREATE POLICY of_team ON coherex.queued_message
  USING (team_id = coherex.current_team() AND EXISTS (
    SELECT FROM coherex.thread WHERE thread.team_id = queued_message.team_id AND thread.id = queued_message.thread_id))
  WITH CHECK (team_id = coherex.current_team());
