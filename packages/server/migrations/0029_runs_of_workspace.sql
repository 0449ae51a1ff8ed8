-- the runs of a workspace, newest first
CREATE INDEX run_workspace ON coherex.run (team_id, (request->>'workspaceId'), id) WHERE request->>'workspaceId' IS NOT NULL;
