-- Which model makes vectors of texts, beside the one that agents use.
ALTER TABLE coherex.model_choice
  ALTER COLUMN model DROP NOT NULL,
  ADD COLUMN embedding_model text;

-- What models took outside of turns that are still there, by month (its first day, in UTC).
CREATE TABLE coherex.model_use (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  month date NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('embedding', 'deleted-turn')),
  model text NOT NULL,
  calls bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  -- as far as prices are known
  cost_usd double precision NOT NULL,
  PRIMARY KEY (team_id, month, purpose, model)
);
ALTER TABLE coherex.model_use ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.model_use FORCE ROW LEVEL SECURITY;
CREATE POLICY of_team ON coherex.model_use
  USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team());
GRANT SELECT, INSERT, UPDATE ON coherex.model_use TO :app_role;

-- Here, so that no way of deleting a conversation takes what it cost out of the month.
CREATE FUNCTION coherex.keep_deleted_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO coherex.model_use
  SELECT OLD.team_id, date_trunc('month', OLD.created_at AT TIME ZONE 'UTC'), 'deleted-turn', OLD.model, 1,
    OLD.input_tokens, OLD.output_tokens, OLD.cost_usd
  -- not where the team itself goes
  FROM coherex.team WHERE team_id = OLD.team_id
  ON CONFLICT (team_id, month, purpose, model) DO UPDATE SET calls = model_use.calls + 1,
    input_tokens = model_use.input_tokens + excluded.input_tokens,
    output_tokens = model_use.output_tokens + excluded.output_tokens,
    cost_usd = model_use.cost_usd + excluded.cost_usd;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_deleted_use AFTER DELETE ON coherex.turn
  FOR EACH ROW WHEN (OLD.cost_usd > 0) EXECUTE FUNCTION coherex.keep_deleted_use();
