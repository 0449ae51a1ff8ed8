CREATE OR REPLACE FUNCTION coherex.create_sandboxes(batches jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  batch record;
BEGIN
  -- ordered: two servers that write at once must not wait for each other in a circle
  FOR batch IN
    SELECT * FROM jsonb_to_recordset(batches) AS b (team_id text, most integer, sandboxes jsonb, audits jsonb) ORDER BY b.team_id
  LOOP
    PERFORM set_config('app.team', batch.team_id, true), set_config('app.scope', 'upkeep', true);

    IF (SELECT count(*) FROM coherex.sandbox WHERE team_id = batch.team_id AND status <> 'ended')
        + jsonb_array_length(batch.sandboxes) > batch.most THEN
      RAISE EXCEPTION 'a team has too many sandboxes' USING ERRCODE = 'check_violation', CONSTRAINT = 'sandboxes_of_team';
    END IF;

    INSERT INTO coherex.sandbox
      (team_id, id, name, status, person_id, person_name, server_id, language, template_name, template_version, limits, network, env,
       workspace_id, agent_name, thread_id, private_to, idle_timeout_ms, packages, shares_since, created_at, last_used_at)
    SELECT team_id, id, name, status, person_id, person_name, server_id, language, template_name, template_version, limits, network, env,
       workspace_id, agent_name, thread_id, private_to, idle_timeout_ms, packages, shares_since, created_at, last_used_at
    FROM jsonb_populate_recordset(NULL::coherex.sandbox, batch.sandboxes);

    INSERT INTO coherex.audit_event
      (team_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, details, ip, request_id)
    SELECT team_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, details, ip, request_id
    FROM jsonb_populate_recordset(NULL::coherex.audit_event, batch.audits);
  END LOOP;
END $$;

REVOKE EXECUTE ON FUNCTION coherex.create_sandboxes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION coherex.create_sandboxes TO :app_role;
