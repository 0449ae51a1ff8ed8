-- Calls of models that help in the editor or review a tool, and who asked: a person has a budget for them.
ALTER TABLE coherex.model_use
  ADD COLUMN person_id text NOT NULL DEFAULT '',
  DROP CONSTRAINT model_use_purpose_check,
  ADD CHECK (purpose IN ('embedding', 'deleted-turn', 'suggestion', 'assist', 'review')),
  DROP CONSTRAINT model_use_pkey,
  ADD PRIMARY KEY (team_id, month, purpose, model, person_id);

CREATE OR REPLACE FUNCTION coherex.keep_deleted_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO coherex.model_use
  SELECT OLD.team_id, date_trunc('month', OLD.created_at AT TIME ZONE 'UTC'), 'deleted-turn', OLD.model, 1,
    OLD.input_tokens, OLD.output_tokens, OLD.cost_usd
  -- not where the team itself goes
  FROM coherex.team WHERE team_id = OLD.team_id
  ON CONFLICT (team_id, month, purpose, model, person_id) DO UPDATE SET calls = model_use.calls + 1,
    input_tokens = model_use.input_tokens + excluded.input_tokens,
    output_tokens = model_use.output_tokens + excluded.output_tokens,
    cost_usd = model_use.cost_usd + excluded.cost_usd;
  RETURN NULL;
END $$;
