-- What one call gave: from now on it is done. False when the turn is not this taker's any more.
CREATE OR REPLACE FUNCTION coherex.keep_call(kept jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  team text := kept->>'team_id';
  turn_of_call text := kept->>'turn_id';
  call jsonb := kept->'call';
  is_done boolean := call->>'status' IN ('done', 'failed');
BEGIN
  PERFORM set_config('app.team', team, true), set_config('app.person', kept->>'person_id', true);

  UPDATE coherex.turn SET failures = 0, activity = kept->>'activity', budget = kept->'budget'
  WHERE team_id = team AND id = turn_of_call AND take = (kept->>'take')::integer AND ended_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;

  IF is_done THEN
    UPDATE coherex.turn_step SET calls = calls || call
    WHERE team_id = team AND turn_id = turn_of_call AND number = (kept->>'number')::integer;

    UPDATE coherex.turn_call SET status = call->>'status'
    WHERE team_id = team AND turn_id = turn_of_call AND call_id = call->>'id';
  ELSIF call->>'status' = 'sleeping' THEN
    INSERT INTO coherex.turn_call (team_id, turn_id, call_id, tool, status, wake_at)
    VALUES (team, turn_of_call, call->>'id', call->>'tool', 'sleeping', (call->>'until')::timestamptz)
    ON CONFLICT (team_id, turn_id, call_id) DO UPDATE
    SET tool = excluded.tool, status = 'sleeping', wake_at = excluded.wake_at, begun_at = now();
  END IF;

  UPDATE coherex.message SET parts = kept->'parts' WHERE team_id = team AND id = kept->>'answer_id';
  RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION coherex.keep_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION coherex.keep_call TO :app_role;
