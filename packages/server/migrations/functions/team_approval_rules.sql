-- The approval rules of a team by tool, in one round trip, because every step with calls waits for them.
CREATE OR REPLACE FUNCTION coherex.team_approval_rules(asked jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('app.team', asked->>'team_id', true);
  RETURN (
    SELECT coalesce(jsonb_object_agg(reference, rule), '{}') FROM coherex.approval_rule
    WHERE team_id = asked->>'team_id'
  );
END $$;

REVOKE EXECUTE ON FUNCTION coherex.team_approval_rules FROM PUBLIC;
GRANT EXECUTE ON FUNCTION coherex.team_approval_rules TO :app_role;
