-- What starts tools by themselves: a trigger and its deliveries are of an agent or of a tool.
ALTER TABLE coherex.trigger
  ALTER COLUMN agent_name DROP NOT NULL,
  ADD COLUMN tool_name text,
  ADD CHECK (num_nonnulls(agent_name, tool_name) = 1),
  ADD UNIQUE (team_id, tool_name, name),
  ADD FOREIGN KEY (team_id, tool_name) REFERENCES coherex.tool ON DELETE CASCADE;

ALTER TABLE coherex.delivery
  ALTER COLUMN agent_name DROP NOT NULL,
  ADD COLUMN tool_name text,
  -- the call that it began
  ADD COLUMN run_id text,
  ADD CHECK (num_nonnulls(agent_name, tool_name) = 1);
CREATE INDEX delivery_of_tool ON coherex.delivery (team_id, tool_name, id DESC) WHERE tool_name IS NOT NULL;

-- what belongs to a tool is seen with it: the policy of the tool holds inside these too
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['trigger', 'delivery'] LOOP
    EXECUTE format('ALTER POLICY of_team ON coherex.%1$I USING (team_id = coherex.current_team() AND (tool_name IS NULL OR EXISTS (
      SELECT FROM coherex.tool WHERE tool.team_id = %1$I.team_id AND tool.name = %1$I.tool_name)))', name);
  END LOOP;
END $$;
