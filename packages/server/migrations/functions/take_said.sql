-- Messages that wait in the thread of a turn become part of its answer, before its next model call. One round trip, because the
-- turn waits for it. Null when the turn is not this taker's any more; else the parts that the answer has more now.
-- Only what the turn's own person said steers it, and through a key only what the key that began it said: the turn acts with
-- their rights. What names a model has a turn of its own.
CREATE OR REPLACE FUNCTION coherex.take_said(kept jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  team text := kept->>'team_id';
  steering coherex.turn;
  said jsonb;
BEGIN
  PERFORM set_config('app.team', team, true), set_config('app.person', kept->>'person_id', true);
  IF NOT EXISTS (SELECT FROM coherex.queued_message WHERE team_id = team AND thread_id = kept->>'thread_id') THEN
    RETURN '[]';
  END IF;

  SELECT * INTO steering FROM coherex.turn
  WHERE team_id = team AND id = kept->>'turn_id' AND take = (kept->>'take')::integer AND ended_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  WITH taken AS (
    DELETE FROM coherex.queued_message
    WHERE team_id = team AND thread_id = steering.thread_id AND person_id = steering.person_id AND model IS NULL
      AND (acting->>'via' = 'session' OR acting->>'credentialId' = steering.acting->>'credentialId')
    RETURNING *
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'type', 'data-said',
    'id', id,
    'data', jsonb_build_object(
      'parts', parts,
      'createdBy', jsonb_build_object('id', person_id, 'name', person_name),
      'createdAt', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  ) ORDER BY created_at, id), '[]') INTO said FROM taken;

  UPDATE coherex.message SET parts = parts || said
  WHERE team_id = team AND id = kept->>'answer_id' AND jsonb_array_length(said) > 0;
  RETURN said;
END $$;

REVOKE EXECUTE ON FUNCTION coherex.take_said FROM PUBLIC;
GRANT EXECUTE ON FUNCTION coherex.take_said TO :app_role;
