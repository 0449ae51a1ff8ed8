-- Programs of agents that call tools. A program that had to stop is run again from its start: it finds the clock and the
-- randomness it had, and its calls are answered from here, so that nothing is done twice.
CREATE TABLE coherex.agent_program (
  team_id text NOT NULL,
  -- the message whose call it is: a turn that is continued goes on with it
  answer_id text NOT NULL,
  call_id text NOT NULL,
  code_hash text NOT NULL,
  seed text NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, answer_id, call_id),
  FOREIGN KEY (team_id, answer_id) REFERENCES coherex.message ON DELETE CASCADE
);

CREATE TABLE coherex.agent_program_call (
  team_id text NOT NULL,
  answer_id text NOT NULL,
  call_id text NOT NULL,
  -- in the order the program made them, from 0
  number integer NOT NULL,
  tool text NOT NULL,
  -- JSON as text: jsonb would give the program its keys in another order
  input text NOT NULL,
  -- what an approver made of it
  edited_input text,
  answer text,
  -- in the order the program heard the answers
  place integer,
  PRIMARY KEY (team_id, answer_id, call_id, number),
  FOREIGN KEY (team_id, answer_id, call_id) REFERENCES coherex.agent_program ON DELETE CASCADE
);

ALTER TABLE coherex.approval
  -- what led to the call, outermost first: agents that asked this one, and the program it stands in
  ADD COLUMN via jsonb NOT NULL DEFAULT '[]',
  -- the thread of the first agent, where people follow what it does; null is the call's own
  ADD COLUMN root_thread_id text;

ALTER TABLE coherex.thread
  -- the call of the parent turn that began it
  ADD COLUMN parent_call_id text;

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.agent_program, coherex.agent_program_call TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['agent_program', 'agent_program_call'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
