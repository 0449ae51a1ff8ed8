-- Was it ever active: what an agent writes to one that never was is a draft, to any other a proposal. Of those that are there nobody knows.
ALTER TABLE coherex.agent ADD COLUMN was_active boolean NOT NULL DEFAULT true;
ALTER TABLE coherex.agent ALTER COLUMN was_active SET DEFAULT false;
-- 0 stands for the agent that comes with the product, for which something is proposed
COMMENT ON COLUMN coherex.agent.version IS 'the version in use; 0 is the built-in agent';

ALTER TABLE coherex.agent_version
  ADD COLUMN state text NOT NULL DEFAULT 'approved' CHECK (state IN ('draft', 'proposed', 'approved', 'rejected')),
  -- what wrote it, where an agent did
  ADD COLUMN by_agent text,
  ADD COLUMN thread_id text,
  ADD COLUMN turn_id text,
  ADD COLUMN decided_by text,
  ADD COLUMN decided_by_name text,
  ADD COLUMN decided_at timestamptz,
  ADD COLUMN decision_note text;
CREATE INDEX agent_version_proposed ON coherex.agent_version (team_id, agent_name) WHERE state = 'proposed';

-- what was decided can be written down; what a version says cannot be changed
GRANT UPDATE (state, decided_by, decided_by_name, decided_at, decision_note) ON coherex.agent_version TO :app_role;
