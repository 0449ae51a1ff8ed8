ALTER TABLE coherex.turn
  -- the server that works on it says so every few seconds; when this has passed, another takes it up
  ADD COLUMN lease_until timestamptz,
  -- counts the takings: what an earlier taker still writes is refused
  ADD COLUMN take integer NOT NULL DEFAULT 0,
  -- servers lost since the last progress
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  -- a turn that sleeps or was lost goes on no sooner
  ADD COLUMN not_before timestamptz NOT NULL DEFAULT now(),
  -- what it may take and has taken; time is what is left, because waiting takes none
  ADD COLUMN budget jsonb,
  -- what the person came with: session or key, and its scopes
  ADD COLUMN acting jsonb,
  -- how many turns of its agent may be under way; null is any number
  ADD COLUMN most_of_agent integer;
CREATE INDEX turn_due ON coherex.turn (team_id, status, created_at) WHERE ended_at IS NULL;

-- Calls that change something, written before they are made: whoever goes on knows which may have been done.
CREATE TABLE coherex.turn_call (
  team_id text NOT NULL,
  turn_id text NOT NULL,
  call_id text NOT NULL,
  tool text NOT NULL,
  status text NOT NULL CHECK (status IN ('begun', 'done', 'failed', 'sleeping')),
  begun_at timestamptz NOT NULL DEFAULT now(),
  wake_at timestamptz,
  PRIMARY KEY (team_id, turn_id, call_id),
  FOREIGN KEY (team_id, turn_id) REFERENCES coherex.turn ON DELETE CASCADE
);

CREATE TABLE coherex.approval (
  team_id text NOT NULL,
  id text NOT NULL,
  turn_id text NOT NULL,
  thread_id text NOT NULL,
  agent_name text NOT NULL,
  call_id text NOT NULL,
  tool text NOT NULL,
  -- what a definition calls the tool
  reference text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('call', 'repeat')),
  reason text NOT NULL,
  input jsonb NOT NULL,
  hash text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected', 'expired', 'cancelled')),
  person_id text NOT NULL,
  person_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  decided_by text,
  decided_by_name text,
  decided_at timestamptz,
  note text,
  edited_input jsonb,
  edited_hash text,
  -- when the turn acted on the answer; an answer is acted on once
  used_at timestamptz,
  PRIMARY KEY (team_id, id),
  FOREIGN KEY (team_id, turn_id) REFERENCES coherex.turn ON DELETE CASCADE
);
CREATE INDEX approval_of_turn ON coherex.approval (team_id, turn_id, call_id);
CREATE INDEX approval_pending ON coherex.approval (team_id, expires_at) WHERE status = 'pending';

-- When people are asked at the least; definitions can ask more often.
CREATE TABLE coherex.approval_rule (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  reference text NOT NULL,
  rule jsonb NOT NULL,
  PRIMARY KEY (team_id, reference)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.turn_call, coherex.approval, coherex.approval_rule TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['turn_call', 'approval', 'approval_rule'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
