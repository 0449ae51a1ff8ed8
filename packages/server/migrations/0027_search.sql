-- Words of a file's text, so that a search needs not unpack it. Null: not read yet.
ALTER TABLE coherex.workspace_file ADD COLUMN lexemes tsvector;
CREATE INDEX workspace_file_unread ON coherex.workspace_file (team_id, workspace_id) WHERE kind = 'text' AND lexemes IS NULL;

-- A search reads the words of each message of a team: those of most stay in the row as they are, and are not unpacked.
ALTER TABLE coherex.message SET (toast_tuple_target = 8160);
-- Punctuation goes first: PostgreSQL's parser takes `frame.groupby` for the name of a host.
ALTER TABLE coherex.message ADD COLUMN lexemes tsvector GENERATED ALWAYS AS (
  strip(to_tsvector('simple', regexp_replace(left(words, 50000), '[!-/:-@\[-`{-~]+', ' ', 'g')))) STORED;
