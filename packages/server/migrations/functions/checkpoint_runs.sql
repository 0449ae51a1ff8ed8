-- Keeps how far runs of several teams are, in one round trip, with the rights of whoever calls it. Answers the ids of those that
-- were kept: one that has ended, or whose row is not there yet, is not.
CREATE OR REPLACE FUNCTION coherex.checkpoint_runs(batches json) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  batch record;
  held text[];
  kept text[] := '{}';
BEGIN
  -- the database outlives the server; only a crash of both loses what the disk has not seen yet
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR batch IN
    SELECT * FROM json_to_recordset(batches) AS b (team_id text, runs json) ORDER BY b.team_id
  LOOP
    PERFORM set_config('app.team', batch.team_id, true), set_config('app.scope', 'upkeep', true);

    -- locked in the order in which their ends lock them; an end that comes first leaves nothing to keep, one that comes after
    -- finds every piece
    SELECT array_agg(locked.id) INTO held FROM (
      SELECT run.id FROM coherex.run JOIN json_to_recordset(batch.runs) AS given (id text) ON given.id = run.id
      WHERE run.team_id = batch.team_id AND run.ended_at IS NULL
      ORDER BY run.id FOR NO KEY UPDATE OF run
    ) AS locked;

    UPDATE coherex.run SET
      status = given.status, receipt = given.receipt, queued_ms = given.queued_ms, started_at = given.started_at
    FROM json_to_recordset(batch.runs)
      AS given (id text, status text, receipt jsonb, queued_ms double precision, started_at timestamptz)
    WHERE run.team_id = batch.team_id AND run.id = given.id AND run.id = ANY (held);

    INSERT INTO coherex.run_output (team_id, run_id, first, lines)
    SELECT batch.team_id, given.id, given.first, given.lines
    FROM json_to_recordset(batch.runs) AS given (id text, first integer, lines json)
    WHERE given.id = ANY (held) AND json_array_length(given.lines) > 0
    -- a write whose answer was lost is done again
    ON CONFLICT DO NOTHING;

    kept := kept || held;
  END LOOP;
  RETURN to_jsonb(kept);
END $$;

REVOKE EXECUTE ON FUNCTION coherex.checkpoint_runs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION coherex.checkpoint_runs TO :app_role;
