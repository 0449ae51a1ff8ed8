-- Agents and skills have an owner and a reach, as tools have: a private one is seen by its owner alone.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['agent', 'skill'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ADD COLUMN owner_id text, ADD COLUMN owner_name text,
      ADD COLUMN reach text NOT NULL DEFAULT ''team'' CHECK (reach IN (''private'', ''team''))', name);
    -- written as well as read: only its owner makes one private, or shares it
    EXECUTE format('ALTER POLICY of_team ON coherex.%I
      USING (team_id = coherex.current_team() AND coherex.sees(coherex.tool_private_to(reach, owner_id, created_by)))
      WITH CHECK (team_id = coherex.current_team() AND coherex.sees(coherex.tool_private_to(reach, owner_id, created_by)))', name);
  END LOOP;
  -- what belongs to one is seen with it: its policy holds inside these too
  FOREACH name IN ARRAY ARRAY['agent_version', 'agent_variable'] LOOP
    EXECUTE format('ALTER POLICY of_team ON coherex.%1$I USING (team_id = coherex.current_team() AND EXISTS (
      SELECT FROM coherex.agent WHERE agent.team_id = %1$I.team_id AND agent.name = %1$I.agent_name))', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['skill_version', 'skill_file'] LOOP
    EXECUTE format('ALTER POLICY of_team ON coherex.%1$I USING (team_id = coherex.current_team() AND EXISTS (
      SELECT FROM coherex.skill WHERE skill.team_id = %1$I.team_id AND skill.name = %1$I.skill_name))', name);
  END LOOP;
END $$;
