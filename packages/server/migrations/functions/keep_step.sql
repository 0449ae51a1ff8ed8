-- What a model call gave, kept in one round trip, because the turn waits for it. Null when the turn is not this taker's any
-- more; else the ids of those of the given calls that are new: what may change something among them is written down as begun.
-- Whether a call needs a person is decided before, in approvals/find-asking.ts.
CREATE OR REPLACE FUNCTION coherex.keep_step(kept jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  team text := kept->>'team_id';
  turn_of_step text := kept->>'turn_id';
  step jsonb := kept->'step';
  plain jsonb;
BEGIN
  PERFORM set_config('app.team', team, true), set_config('app.person', kept->>'person_id', true);

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
  FROM jsonb_to_recordset(kept->'calls') AS call (id text, tool text, is_read_only boolean)
  WHERE NOT EXISTS (
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

REVOKE EXECUTE ON FUNCTION coherex.keep_step FROM PUBLIC;
GRANT EXECUTE ON FUNCTION coherex.keep_step TO :app_role;
