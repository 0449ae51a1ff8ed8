-- What a model call gave, kept in one round trip, because the turn waits for it. Null when the turn is not this taker's any
-- more; else the ids of those calls that are new and that no rule of the team concerns: what may change something among
-- them is written down as begun.
CREATE FUNCTION coherex.keep_step(kept jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  team text := kept->>'team_id';
  turn_of_step text := kept->>'turn_id';
  step jsonb := kept->'step';
  plain jsonb;
BEGIN
  PERFORM set_config('app.team', team, true);

  UPDATE coherex.turn SET
    activity = kept->>'activity',
    input_tokens = input_tokens + (step->>'input_tokens')::bigint,
    cached_input_tokens = cached_input_tokens + (step->>'cached_input_tokens')::bigint,
    output_tokens = output_tokens + (step->>'output_tokens')::bigint,
    -- unknown stays unknown
    cost_usd = cost_usd + (step->>'cost_usd')::float8,
    failures = 0,
    budget = kept->'budget'
  WHERE team_id = team AND id = turn_of_step AND take = (kept->>'take')::integer;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  INSERT INTO coherex.turn_step SELECT * FROM jsonb_populate_record(NULL::coherex.turn_step, step);

  IF kept ? 'parts' THEN
    UPDATE coherex.message SET parts = kept->'parts' WHERE team_id = team AND id = kept->>'answer_id';
  END IF;

  SELECT coalesce(jsonb_agg(to_jsonb(call)), '[]') INTO plain
  FROM jsonb_to_recordset(kept->'calls') AS call (id text, tool text, reference text, is_read_only boolean)
  WHERE NOT EXISTS (
    SELECT 1 FROM coherex.approval_rule AS rule WHERE rule.team_id = team AND rule.reference = call.reference
  ) AND NOT EXISTS (
    -- models may give an id twice, also in an earlier turn of the same answer
    SELECT 1 FROM coherex.turn_call AS record JOIN coherex.turn ON turn.team_id = record.team_id AND turn.id = record.turn_id
    WHERE turn.team_id = team AND turn.thread_id = kept->>'thread_id' AND turn.answer_id = kept->>'answer_id'
      AND record.call_id = call.id
  );

  INSERT INTO coherex.turn_call (team_id, turn_id, call_id, tool, status)
  SELECT team, turn_of_step, call.id, call.tool, 'begun'
  FROM jsonb_to_recordset(plain) AS call (id text, tool text, is_read_only boolean)
  WHERE NOT call.is_read_only
  ON CONFLICT DO NOTHING;

  RETURN (SELECT coalesce(jsonb_agg(call->'id'), '[]') FROM jsonb_array_elements(plain) AS call);
END $$;

-- What one call gave: from now on it is done. False when the turn is not this taker's any more.
CREATE FUNCTION coherex.keep_call(kept jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  team text := kept->>'team_id';
  turn_of_call text := kept->>'turn_id';
  call jsonb := kept->'call';
  is_done boolean := call->>'status' IN ('done', 'failed');
BEGIN
  PERFORM set_config('app.team', team, true);

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

REVOKE EXECUTE ON FUNCTION coherex.keep_step, coherex.keep_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION coherex.keep_step, coherex.keep_call TO :app_role;
