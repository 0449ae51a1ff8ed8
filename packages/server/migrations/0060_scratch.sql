-- Each person has one workspace of their own in a team, Scratch: they alone see it, and what belongs to it.
ALTER TABLE coherex.workspace ADD COLUMN private_to text;
CREATE UNIQUE INDEX workspace_of_person ON coherex.workspace (team_id, private_to) WHERE private_to IS NOT NULL;
ALTER POLICY of_team ON coherex.workspace
  USING (team_id = coherex.current_team() AND coherex.sees(private_to))
  WITH CHECK (team_id = coherex.current_team() AND coherex.sees(private_to));

-- what belongs to a workspace is seen with it: its policy holds inside these too
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['workspace_snapshot', 'workspace_update', 'workspace_log', 'workspace_version', 'workspace_change',
    'workspace_file', 'workspace_content', 'workspace_tag', 'workspace_proposal', 'workspace_client', 'workspace_remote',
    'workspace_presence', 'workspace_variable', 'workspace_skill'] LOOP
    EXECUTE format('ALTER POLICY of_team ON coherex.%1$I USING (team_id = coherex.current_team() AND EXISTS (
      SELECT FROM coherex.workspace WHERE workspace.team_id = %1$I.team_id AND workspace.id = %1$I.workspace_id))', name);
  END LOOP;
END $$;

-- a sandbox with the variables and files of a private workspace is as private; runs have such a column already
ALTER TABLE coherex.sandbox ADD COLUMN private_to text;
ALTER POLICY of_team ON coherex.sandbox USING (team_id = coherex.current_team() AND coherex.sees(private_to) AND (
  thread_id IS NULL OR EXISTS (
    SELECT FROM coherex.thread WHERE thread.team_id = sandbox.team_id AND thread.id = sandbox.thread_id)));
