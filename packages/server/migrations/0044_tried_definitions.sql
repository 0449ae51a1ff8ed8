-- A conversation may try a definition that nobody saved.
ALTER TABLE coherex.thread ADD COLUMN definition text;
