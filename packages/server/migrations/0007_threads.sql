-- What agents of a team use that name no model. Without a row: the first that works.
CREATE TABLE coherex.model_choice (
  team_id text PRIMARY KEY REFERENCES coherex.team ON DELETE CASCADE,
  model text NOT NULL
);

CREATE TABLE coherex.thread (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  id text NOT NULL,
  -- by name: an agent that was deleted leaves its threads readable
  agent_name text NOT NULL,
  -- null: the agent's own
  model text,
  title text NOT NULL DEFAULT '',
  -- a title that a person gave is never replaced
  is_title_given boolean NOT NULL DEFAULT false,
  pinned boolean NOT NULL DEFAULT false,
  workspace_id text,
  sandbox_id text,
  -- the last message of the branch that is shown
  head_id text,
  -- the turn of another agent that began it; people began those without
  parent_turn_id text,
  person_id text NOT NULL,
  person_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id)
);
CREATE INDEX thread_order ON coherex.thread (team_id, pinned DESC, updated_at DESC, id DESC);

-- A tree: editing or answering again makes a branch, and nothing is overwritten.
CREATE TABLE coherex.message (
  team_id text NOT NULL,
  id text NOT NULL,
  thread_id text NOT NULL,
  parent_id text,
  role text NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
  parts jsonb NOT NULL,
  metadata jsonb,
  turn_id text,
  -- plain words of the parts, for the search
  words text NOT NULL DEFAULT '',
  author_id text NOT NULL,
  author_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id),
  FOREIGN KEY (team_id, thread_id) REFERENCES coherex.thread ON DELETE CASCADE
);
CREATE INDEX message_tree ON coherex.message (team_id, thread_id, parent_id);

CREATE TABLE coherex.turn (
  team_id text NOT NULL,
  id text NOT NULL,
  thread_id text NOT NULL,
  agent_name text NOT NULL,
  agent_version integer NOT NULL,
  model text NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'waiting', 'sleeping', 'done', 'failed', 'stopped')),
  activity text NOT NULL DEFAULT 'queued',
  ending jsonb,
  -- the message it answers, and its answer
  question_id text NOT NULL,
  answer_id text NOT NULL,
  -- how many agents deep
  depth integer NOT NULL DEFAULT 0,
  -- the server process that works on it
  server_id text NOT NULL,
  person_id text NOT NULL,
  person_name text NOT NULL,
  input_tokens bigint NOT NULL DEFAULT 0,
  cached_input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  -- null as soon as one step's price is unknown
  cost_usd double precision DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  ended_at timestamptz,
  PRIMARY KEY (team_id, id),
  FOREIGN KEY (team_id, thread_id) REFERENCES coherex.thread ON DELETE CASCADE
);
CREATE INDEX turn_of_thread ON coherex.turn (team_id, thread_id, created_at DESC);
-- two turns at once would write over each other's branch
CREATE UNIQUE INDEX turn_open ON coherex.turn (team_id, thread_id) WHERE ended_at IS NULL;

CREATE TABLE coherex.turn_step (
  team_id text NOT NULL,
  turn_id text NOT NULL,
  number integer NOT NULL,
  model text NOT NULL,
  finish_reason text NOT NULL,
  input_tokens bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cost_usd double precision,
  calls jsonb NOT NULL DEFAULT '[]',
  started_at timestamptz NOT NULL,
  duration_ms double precision NOT NULL,
  PRIMARY KEY (team_id, turn_id, number),
  FOREIGN KEY (team_id, turn_id) REFERENCES coherex.turn ON DELETE CASCADE
);

-- What was streamed while a turn is under way, for whoever comes back or watches through another server process.
CREATE TABLE coherex.turn_chunk (
  team_id text NOT NULL,
  turn_id text NOT NULL,
  -- number of the first chunk in the row
  number bigint NOT NULL,
  chunks jsonb NOT NULL,
  PRIMARY KEY (team_id, turn_id, number),
  FOREIGN KEY (team_id, turn_id) REFERENCES coherex.turn ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON
  coherex.model_choice, coherex.thread, coherex.message, coherex.turn, coherex.turn_step, coherex.turn_chunk TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['model_choice', 'thread', 'message', 'turn', 'turn_step', 'turn_chunk'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
