-- Settings that code finds in its environment. Not sealed: whoever may run code can read them.
CREATE TABLE coherex.workspace_variable (
  team_id text NOT NULL,
  workspace_id text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  updated_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, workspace_id, name),
  FOREIGN KEY (team_id, workspace_id) REFERENCES coherex.workspace ON DELETE CASCADE
);

CREATE TABLE coherex.agent_variable (
  team_id text NOT NULL,
  agent_name text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  updated_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, agent_name, name),
  FOREIGN KEY (team_id, agent_name) REFERENCES coherex.agent ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.workspace_variable, coherex.agent_variable TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['workspace_variable', 'agent_variable'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;

-- Whose variables a sandbox has besides its own. They are read when it opens and not copied: what is deleted is gone from it too.
ALTER TABLE coherex.sandbox
  ADD COLUMN workspace_id text,
  ADD COLUMN agent_name text;

CREATE OR REPLACE FUNCTION coherex.create_sandboxes(batches jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  batch record;
BEGIN
  -- ordered: two servers that write at once must not wait for each other in a circle
  FOR batch IN
    SELECT * FROM jsonb_to_recordset(batches) AS b (team_id text, most integer, sandboxes jsonb, audits jsonb) ORDER BY b.team_id
  LOOP
    PERFORM set_config('app.team', batch.team_id, true);

    IF (SELECT count(*) FROM coherex.sandbox WHERE team_id = batch.team_id AND status <> 'ended')
        + jsonb_array_length(batch.sandboxes) > batch.most THEN
      RAISE EXCEPTION 'a team has too many sandboxes' USING ERRCODE = 'check_violation', CONSTRAINT = 'sandboxes_of_team';
    END IF;

    INSERT INTO coherex.sandbox
      (team_id, id, name, status, person_id, person_name, server_id, language, template_name, template_version, limits, network, env,
       workspace_id, agent_name, idle_timeout_ms, shares_since, created_at, last_used_at)
    SELECT team_id, id, name, status, person_id, person_name, server_id, language, template_name, template_version, limits, network, env,
       workspace_id, agent_name, idle_timeout_ms, shares_since, created_at, last_used_at
    FROM jsonb_populate_recordset(NULL::coherex.sandbox, batch.sandboxes);

    INSERT INTO coherex.audit_event
      (team_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, details, ip, request_id)
    SELECT team_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, details, ip, request_id
    FROM jsonb_populate_recordset(NULL::coherex.audit_event, batch.audits);
  END LOOP;
END $$;

-- A program that is run again finds the variables it had: others could lead it down another path.
ALTER TABLE coherex.agent_program ADD COLUMN variables jsonb NOT NULL DEFAULT '[]';
