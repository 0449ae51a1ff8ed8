-- Writes runs of several teams in one round trip and one commit, with the rights of whoever calls it: each team's rows are written
-- with that team set. What was written before is not written twice; `kept` are the runs whose end takes the place of pieces of output.
CREATE OR REPLACE FUNCTION coherex.record_runs(batches json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  batch record;
  begun text[];
  ended text[];
BEGIN
  -- ordered, here and below: two servers that write at once must not wait for each other in a circle
  FOR batch IN
    SELECT * FROM json_to_recordset(batches)
      AS b (team_id text, day date, programs json, runs json, starts json, files json, alerts json, kept json)
    ORDER BY b.team_id
  LOOP
    PERFORM set_config('app.team', batch.team_id, true), set_config('app.scope', 'upkeep', true);

    INSERT INTO coherex.program
    SELECT * FROM json_populate_recordset(NULL::coherex.program, batch.programs) ORDER BY hash
    ON CONFLICT DO NOTHING;

    WITH written AS (
      INSERT INTO coherex.run AS run
      SELECT * FROM json_populate_recordset(NULL::coherex.run, batch.runs) ORDER BY id
      ON CONFLICT (team_id, id) DO UPDATE SET
        status = excluded.status, receipt = excluded.receipt, output = excluded.output, result = excluded.result,
        error = excluded.error, signs = excluded.signs, requests = excluded.requests, truncated = excluded.truncated,
        queued_ms = excluded.queued_ms, duration_ms = excluded.duration_ms, peak_memory_mb = excluded.peak_memory_mb,
        started_at = excluded.started_at, ended_at = excluded.ended_at
        -- an end is written once
        WHERE run.ended_at IS NULL AND excluded.ended_at IS NOT NULL
      -- a row that was there before has been locked by this transaction
      RETURNING run.id, run.ended_at, run.queued_ms, run.duration_ms, run.status, run.error->>'kind' AS error_kind,
        run.tool, run.started_by, run.person_id, run.person_name, run.reported_by, run.xmax = 0 AS is_new
    ), used AS (
      INSERT INTO coherex.usage_day AS used (team_id, day, runs, run_ms)
      SELECT batch.team_id, batch.day, count(*), sum(duration_ms) FROM written
      -- what a browser did took nothing of ours
      WHERE ended_at IS NOT NULL AND reported_by IS NULL HAVING count(*) > 0
      ON CONFLICT (team_id, day) DO UPDATE SET runs = used.runs + excluded.runs, run_ms = used.run_ms + excluded.run_ms
    ), called AS (
      INSERT INTO coherex.tool_calls AS known
        (team_id, tool_name, day, version, caller_kind, caller_id, bucket, caller_name, calls, failed, invalid_output)
      SELECT batch.team_id, tool->>'name', batch.day, (tool->>'version')::integer, kind,
        CASE kind WHEN 'person' THEN person_id WHEN 'key' THEN coalesce(started_by->>'id', '') ELSE name END AS caller,
        ceil(ln(greatest(queued_ms + duration_ms, 0.1)) / ln(1.1))::integer AS bucket,
        max(name), count(*), count(*) FILTER (WHERE status <> 'succeeded'), count(*) FILTER (WHERE error_kind = 'validation')
      FROM written, LATERAL (
          -- code of a tool calls in the name of the tool
          SELECT CASE WHEN started_by->>'kind' = 'run' AND started_by->>'name' IS NOT NULL THEN 'tool'
            ELSE coalesce(started_by->>'kind', 'person') END AS kind) AS began,
        LATERAL (SELECT CASE kind WHEN 'person' THEN person_name ELSE coalesce(started_by->>'name', '') END AS name) AS named
      WHERE tool IS NOT NULL AND ended_at IS NOT NULL
      GROUP BY 2, 4, 5, 6, 7 ORDER BY 2, 4, 5, 6, 7
      ON CONFLICT (team_id, tool_name, day, version, caller_kind, caller_id, bucket) DO UPDATE SET
        calls = known.calls + excluded.calls, failed = known.failed + excluded.failed,
        invalid_output = known.invalid_output + excluded.invalid_output, caller_name = excluded.caller_name
    )
    SELECT array_agg(id) FILTER (WHERE is_new), array_agg(id) FILTER (WHERE ended_at IS NOT NULL)
    INTO begun, ended FROM written;

    -- most runs end before anything of them was kept
    IF json_array_length(batch.kept) > 0 THEN
      DELETE FROM coherex.run_output
      WHERE team_id = batch.team_id AND run_id IN (SELECT json_array_elements_text(batch.kept));
    END IF;

    INSERT INTO coherex.audit_event
      (team_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, details, ip, request_id)
    SELECT team_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, details, ip, request_id
    FROM json_populate_recordset(NULL::coherex.audit_event, batch.starts) WHERE target_id = ANY (begun);

    IF json_array_length(batch.files) > 0 THEN
      INSERT INTO coherex.run_file
      SELECT * FROM json_populate_recordset(NULL::coherex.run_file, batch.files) WHERE run_id = ANY (ended)
      -- two odd names may have become the same one
      ON CONFLICT DO NOTHING;
    END IF;

    IF json_array_length(batch.alerts) > 0 THEN
      INSERT INTO coherex.audit_event
        (team_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, details, ip, request_id)
      SELECT team_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, details, ip, request_id
      FROM json_populate_recordset(NULL::coherex.audit_event, batch.alerts) WHERE target_id = ANY (ended);
    END IF;
  END LOOP;
END $$;

REVOKE EXECUTE ON FUNCTION coherex.record_runs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION coherex.record_runs TO :app_role;
