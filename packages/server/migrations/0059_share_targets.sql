-- A share shows an artifact, a conversation up to a message, or a file of a workspace. Its row is for the team, whoever sees the conversation: what it shows is read with the rights of who made it.
ALTER TABLE coherex.share
  ALTER COLUMN artifact_id DROP NOT NULL,
  ADD COLUMN of_thread text,
  ADD COLUMN last_message text,
  ADD COLUMN of_workspace text,
  ADD COLUMN of_path text,
  ADD CONSTRAINT share_of_one CHECK (
    num_nonnulls(artifact_id, of_thread, of_workspace) = 1
    AND num_nulls(of_thread, last_message) <> 1
    AND num_nulls(of_workspace, of_path) <> 1
  ),
  ADD FOREIGN KEY (team_id, of_thread) REFERENCES coherex.thread ON DELETE CASCADE,
  ADD FOREIGN KEY (team_id, of_workspace) REFERENCES coherex.workspace ON DELETE CASCADE;
CREATE INDEX share_of_thread ON coherex.share (team_id, of_thread) WHERE of_thread IS NOT NULL;
CREATE INDEX share_of_workspace ON coherex.share (team_id, of_workspace, of_path) WHERE of_workspace IS NOT NULL;
