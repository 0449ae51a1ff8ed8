-- Whom stored work acts for, with their role now and the API key it was begun with, in one round trip, because every step and
-- every call of a turn waits for it. Null when the person is no member any more.
CREATE OR REPLACE FUNCTION coherex.look_up_acting(asked jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  team text := asked->>'team_id';
BEGIN
  PERFORM set_config('app.team', team, true), set_config('app.person', asked->>'person_id', true);
  RETURN (
    SELECT jsonb_build_object(
      'role', member.role,
      'person', jsonb_build_object(
        'id', person.id, 'name', person.name, 'email', person.email, 'operator', person.operator
      ),
      'setupDone', person.setup_done,
      'key', (
        SELECT jsonb_build_object('scopes', key.scopes, 'isExpired', coalesce(key.expires_at < now(), false))
        FROM coherex.api_key AS key
        WHERE key.team_id = team AND key.id = asked->>'credential_id' AND key.person_id = asked->>'person_id'
      )
    )
    FROM coherex.member JOIN coherex_auth.person ON person.id = member.person_id
    WHERE member.team_id = team AND member.person_id = asked->>'person_id'
  );
END $$;

REVOKE EXECUTE ON FUNCTION coherex.look_up_acting FROM PUBLIC;
GRANT EXECUTE ON FUNCTION coherex.look_up_acting TO :app_role;
