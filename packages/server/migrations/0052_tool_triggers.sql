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
