ALTER TABLE coherex.turn
  -- a person, a key, an agent, a schedule, a webhook or an event
  ADD COLUMN started_by jsonb NOT NULL DEFAULT '{"kind":"person"}',
  -- the turn whose question it answers again, and the one whose answer it goes on with
  ADD COLUMN retry_of text,
  ADD COLUMN continues text;

-- row-level security would hide the rows from their owner
ALTER TABLE coherex.turn NO FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.thread NO FORCE ROW LEVEL SECURITY;
UPDATE coherex.turn SET started_by = jsonb_build_object('kind', 'key', 'door', 'api', 'id', acting->>'credentialId')
WHERE depth = 0 AND acting->>'via' = 'key';
UPDATE coherex.turn SET started_by = jsonb_build_object('kind', 'agent', 'id', thread.parent_turn_id)
FROM coherex.thread
WHERE turn.depth > 0 AND thread.team_id = turn.team_id AND thread.id = turn.thread_id AND thread.parent_turn_id IS NOT NULL;
ALTER TABLE coherex.thread FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.turn FORCE ROW LEVEL SECURITY;

CREATE INDEX turn_by_status ON coherex.turn (team_id, status, id);
-- what an agent asked others for
CREATE INDEX thread_of_turn ON coherex.thread (team_id, parent_turn_id) WHERE parent_turn_id IS NOT NULL;

-- Older rows have none: nobody wrote it down.
ALTER TABLE coherex.run
  ADD COLUMN started_by jsonb,
  ADD COLUMN retry_of text;
-- the runs of a turn
CREATE INDEX run_of_agent ON coherex.run (team_id, (started_by->>'id')) WHERE started_by->>'kind' = 'agent';

-- from the call of the model to its first words; null when none came
ALTER TABLE coherex.turn_step ADD COLUMN first_token_ms double precision;

-- What became of a turn, in order: how it waited, who took it up, what was tried again.
CREATE TABLE coherex.turn_history (
  team_id text NOT NULL,
  turn_id text NOT NULL,
  number integer NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind text NOT NULL CHECK (kind IN ('status', 'retry')),
  details jsonb NOT NULL,
  PRIMARY KEY (team_id, turn_id, number),
  FOREIGN KEY (team_id, turn_id) REFERENCES coherex.turn ON DELETE CASCADE
);
ALTER TABLE coherex.turn_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.turn_history FORCE ROW LEVEL SECURITY;
CREATE POLICY of_team ON coherex.turn_history
  USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team());
GRANT SELECT, INSERT, DELETE ON coherex.turn_history TO :app_role;

-- Here, so that no way of changing a turn can forget it. Only changes: a turn begins queued, and a restored backup brings
-- its history along. Whoever changes a turn has its row locked, so numbers are given out one after the other.
CREATE FUNCTION coherex.note_turn_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO coherex.turn_history (team_id, turn_id, number, kind, details)
  SELECT NEW.team_id, NEW.id, coalesce(max(number), 0) + 1, 'status',
    jsonb_build_object('status', NEW.status, 'serverId', NEW.server_id, 'take', NEW.take, 'isLost', NEW.failures > OLD.failures)
  FROM coherex.turn_history WHERE team_id = NEW.team_id AND turn_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER note_status AFTER UPDATE OF status ON coherex.turn
  FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION coherex.note_turn_status();
