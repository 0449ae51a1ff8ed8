-- The locks of a sandbox's packages, with what was asked for.
ALTER TABLE coherex.sandbox ADD COLUMN packages jsonb NOT NULL DEFAULT '[]';
-- pip or npm themselves put packages into its files.
ALTER TABLE coherex.sandbox ADD COLUMN outside_lock boolean NOT NULL DEFAULT false;

-- Those of a template; versions from before have files of their own instead.
ALTER TABLE coherex.template ADD COLUMN locks jsonb NOT NULL DEFAULT '[]';
