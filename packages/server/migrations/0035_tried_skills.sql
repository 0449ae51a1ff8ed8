-- A conversation may try a version of a skill beside the skills of its agent.
ALTER TABLE coherex.thread ADD COLUMN skill jsonb;
