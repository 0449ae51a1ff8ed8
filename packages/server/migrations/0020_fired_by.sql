-- Who fired a trigger by hand, and what they came with: the turn acts for them, not for whoever stored the agent.
ALTER TABLE coherex.delivery ADD COLUMN fired_by jsonb;
