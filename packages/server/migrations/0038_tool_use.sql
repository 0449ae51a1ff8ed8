-- Tools have a reach, calls are counted, versions are reviewed.
ALTER TABLE coherex.tool
  -- private: its owner alone; server: other teams see it and install copies of its versions
  ADD COLUMN reach text NOT NULL DEFAULT 'team' CHECK (reach IN ('private', 'team', 'server'));

ALTER TABLE coherex.tool_version
  -- tools that its code names: [{ name, pins }]
  ADD COLUMN uses jsonb NOT NULL DEFAULT '[]';

ALTER TABLE coherex.run
  -- what is called: { name, version }
  ADD COLUMN tool jsonb,
  -- who alone sees it: the owner of a private tool
  ADD COLUMN private_to text;

-- Who alone sees a tool; null is the team.
CREATE FUNCTION coherex.tool_private_to(reach text, owner_id text, created_by text) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT CASE WHEN reach = 'private' THEN coalesce(owner_id, created_by) END $$;

-- Written as well as read: only its owner makes a tool private, or shares it.
ALTER POLICY of_team ON coherex.tool
  USING (team_id = coherex.current_team() AND coherex.sees(coherex.tool_private_to(reach, owner_id, created_by)))
  WITH CHECK (team_id = coherex.current_team() AND coherex.sees(coherex.tool_private_to(reach, owner_id, created_by)));
ALTER POLICY of_team ON coherex.run USING (team_id = coherex.current_team() AND coherex.sees(private_to) AND (thread_id IS NULL OR EXISTS (
  SELECT FROM coherex.thread WHERE thread.team_id = run.team_id AND thread.id = run.thread_id)));

-- One row for each caller and duration of a day, so that counting a call changes one row, whatever is asked later.
CREATE TABLE coherex.tool_calls (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  -- refers to nothing: the end of a call is recorded even when its tool is gone
  tool_name text NOT NULL,
  day date NOT NULL,
  version integer NOT NULL,
  caller_kind text NOT NULL,
  -- of the person or the key; the name of all others
  caller_id text NOT NULL,
  -- of the time it took: 1.1 to this power, in milliseconds; -100 where its input did not fit and nothing ran
  bucket integer NOT NULL,
  caller_name text NOT NULL,
  calls bigint NOT NULL,
  failed bigint NOT NULL DEFAULT 0,
  invalid_input bigint NOT NULL DEFAULT 0,
  invalid_output bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (team_id, tool_name, day, version, caller_kind, caller_id, bucket)
);

CREATE TABLE coherex.tool_review (
  team_id text NOT NULL,
  id text NOT NULL,
  tool_name text NOT NULL,
  version integer NOT NULL,
  decision text NOT NULL CHECK (decision IN ('approve', 'reject', 'comment')),
  note text NOT NULL,
  file text,
  line integer,
  by_kind text NOT NULL CHECK (by_kind IN ('person', 'model', 'service')),
  by_id text NOT NULL,
  by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id),
  -- only people decide
  CHECK (by_kind = 'person' OR decision = 'comment'),
  FOREIGN KEY (team_id, tool_name, version) REFERENCES coherex.tool_version ON DELETE CASCADE
);
CREATE INDEX tool_review_of_tool ON coherex.tool_review (team_id, tool_name, id);

-- What a team asks before a tool is published.
CREATE TABLE coherex.tool_rule (
  team_id text PRIMARY KEY REFERENCES coherex.team ON DELETE CASCADE,
  tool_review text NOT NULL CHECK (tool_review IN ('none', 'person')),
  service_url text,
  service_secret text,
  CHECK ((service_url IS NULL) = (service_secret IS NULL))
);

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.tool_calls, coherex.tool_rule TO :app_role;
-- what was said stays as it was said
GRANT SELECT, INSERT, DELETE ON coherex.tool_review TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tool_calls', 'tool_review', 'tool_rule'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
  -- what belongs to a tool is seen with it: its policy holds inside these too
  FOREACH name IN ARRAY ARRAY['tool_version', 'tool_file', 'tool_review', 'tool_variable'] LOOP
    EXECUTE format('ALTER POLICY of_team ON coherex.%1$I USING (team_id = coherex.current_team() AND EXISTS (
      SELECT FROM coherex.tool WHERE tool.team_id = %1$I.team_id AND tool.name = %1$I.tool_name))', name);
  END LOOP;
END $$;

-- What a team offers to others, for whoever asks for nothing else: the published tools, and of them the versions that were published.
CREATE POLICY offered ON coherex.tool FOR SELECT USING (
  current_setting('app.scope', true) = 'offered' AND reach = 'server' AND active_version IS NOT NULL AND unpublished_at IS NULL);
CREATE POLICY offered ON coherex.tool_version FOR SELECT USING (
  current_setting('app.scope', true) = 'offered' AND state = 'approved' AND EXISTS (
    SELECT FROM coherex.tool WHERE tool.team_id = tool_version.team_id AND tool.name = tool_version.tool_name));
CREATE POLICY offered ON coherex.tool_file FOR SELECT USING (
  current_setting('app.scope', true) = 'offered' AND EXISTS (
    SELECT FROM coherex.tool_version AS v
    WHERE v.team_id = tool_file.team_id AND v.tool_name = tool_file.tool_name AND v.version = tool_file.version));
CREATE POLICY offers_tools ON coherex.team FOR SELECT USING (
  current_setting('app.scope', true) = 'offered' AND EXISTS (SELECT FROM coherex.tool WHERE tool.team_id = team.team_id));
