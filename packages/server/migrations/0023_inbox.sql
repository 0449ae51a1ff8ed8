-- What a person took out of their inbox: of a thread or a trigger all failures up to an id, because ids are in order.
CREATE TABLE coherex.inbox_dismissal (
  team_id text NOT NULL,
  person_id text NOT NULL,
  -- the thread of a turn, the trigger of a delivery
  subject text NOT NULL,
  until text NOT NULL,
  dismissed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, person_id, subject),
  FOREIGN KEY (team_id, person_id) REFERENCES coherex.member ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.inbox_dismissal TO :app_role;

CREATE INDEX approval_waiting ON coherex.approval (team_id, created_at DESC, id DESC) WHERE status = 'pending';
CREATE INDEX workspace_proposal_open ON coherex.workspace_proposal (team_id, created_at DESC, id DESC) WHERE status = 'open';
CREATE INDEX turn_failed ON coherex.turn (team_id, ended_at DESC, id DESC) WHERE status = 'failed' AND depth = 0;
CREATE INDEX delivery_failed ON coherex.delivery (team_id, trigger_id, id DESC) WHERE status IN ('failed', 'refused');
CREATE INDEX delivery_again ON coherex.delivery (team_id, redelivery_of) WHERE redelivery_of IS NOT NULL;

-- Calls that a person lets an agent make in a conversation without asking again.
CREATE TABLE coherex.thread_approval (
  team_id text NOT NULL,
  -- where people follow it: the first of agents that ask each other
  thread_id text NOT NULL,
  agent_name text NOT NULL,
  -- another version may be able to do more with the same tool
  agent_version integer NOT NULL,
  tool text NOT NULL,
  -- for whom the agent works: a colleague in the same thread is asked
  person_id text NOT NULL,
  person_name text NOT NULL,
  -- it counts while they may answer
  decided_by text NOT NULL,
  decided_by_name text NOT NULL,
  -- the answer that it was given with
  approval_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, thread_id, agent_name, tool, person_id),
  UNIQUE (team_id, approval_id),
  FOREIGN KEY (team_id, thread_id) REFERENCES coherex.thread ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.thread_approval TO :app_role;

-- Whether an answer can stand for the conversation: not where the team's rules ask, or what is forced on a definition.
ALTER TABLE coherex.approval ADD COLUMN may_stand boolean NOT NULL DEFAULT false;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['inbox_dismissal', 'thread_approval'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
