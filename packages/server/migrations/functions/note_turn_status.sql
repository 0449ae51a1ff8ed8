-- Here, so that no way of changing a turn can forget it. Only changes: a turn begins queued, and a restored backup brings
-- its history along. Whoever changes a turn has its row locked, so numbers are given out one after the other.
CREATE OR REPLACE FUNCTION coherex.note_turn_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO coherex.turn_history (team_id, turn_id, number, kind, details)
  SELECT NEW.team_id, NEW.id, coalesce(max(number), 0) + 1, 'status',
    jsonb_build_object('status', NEW.status, 'serverId', NEW.server_id, 'take', NEW.take, 'isLost', NEW.failures > OLD.failures)
  FROM coherex.turn_history WHERE team_id = NEW.team_id AND turn_id = NEW.id;
  RETURN NULL;
END $$;
