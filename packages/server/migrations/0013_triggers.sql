-- What starts agents by themselves: those of each agent's newest version.
CREATE TABLE coherex.trigger (
  team_id text NOT NULL,
  id text NOT NULL,
  agent_name text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('schedule', 'webhook', 'event')),
  definition jsonb NOT NULL,
  -- whoever stored the version, and what they came with: its turns act in their name
  person_id text NOT NULL,
  person_name text NOT NULL,
  acting jsonb NOT NULL,
  -- the next firing of a schedule
  next_at timestamptz,
  -- what an event has been looked at: versions by workspace, or a time
  seen jsonb,
  -- the last part of a webhook's address, and its hash to find it by before a team is known
  hook text,
  hook_hash text,
  -- it fired too often: until then it does not
  held_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id),
  UNIQUE (team_id, agent_name, name),
  FOREIGN KEY (team_id, agent_name) REFERENCES coherex.agent ON DELETE CASCADE
);
CREATE INDEX trigger_hook ON coherex.trigger (hook_hash) WHERE hook_hash IS NOT NULL;

-- Keys that requests to a webhook are signed with: several while one replaces another.
CREATE TABLE coherex.trigger_secret (
  team_id text NOT NULL,
  trigger_id text NOT NULL,
  number integer NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  PRIMARY KEY (team_id, trigger_id, number),
  FOREIGN KEY (team_id, trigger_id) REFERENCES coherex.trigger ON DELETE CASCADE
);

-- One firing each. It outlives its trigger: what was sent, and what became of it, stays readable.
CREATE TABLE coherex.delivery (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  id text NOT NULL,
  agent_name text NOT NULL,
  trigger_id text NOT NULL,
  trigger_name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('schedule', 'webhook', 'event', 'test', 'redelivery')),
  -- the same key is the same firing, and happens once
  key text NOT NULL,
  body_hash text NOT NULL,
  content_type text NOT NULL,
  -- as it came; null once it was pruned
  body bytea,
  size integer NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'started', 'failed', 'refused')),
  reason text,
  -- how many deliveries led to this one
  depth integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  not_before timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  thread_id text,
  redelivery_of text,
  received_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  PRIMARY KEY (team_id, id),
  UNIQUE (team_id, trigger_id, key)
);
CREATE INDEX delivery_due ON coherex.delivery (team_id, not_before) WHERE status = 'pending';
CREATE INDEX delivery_of_agent ON coherex.delivery (team_id, agent_name, id DESC);
CREATE INDEX delivery_of_thread ON coherex.delivery (team_id, thread_id) WHERE thread_id IS NOT NULL;

-- What a turn that sleeps waits for.
CREATE TABLE coherex.wake (
  team_id text NOT NULL,
  id text NOT NULL,
  turn_id text NOT NULL,
  -- the call that sleeps; none while nobody sleeps on it yet
  call_id text,
  kind text NOT NULL CHECK (kind IN ('webhook', 'file-changed', 'run-failed')),
  definition jsonb NOT NULL,
  seen jsonb,
  hook_hash text,
  expires_at timestamptz NOT NULL,
  arrived_at timestamptz,
  body bytea,
  PRIMARY KEY (team_id, id),
  FOREIGN KEY (team_id, turn_id) REFERENCES coherex.turn ON DELETE CASCADE
);
CREATE INDEX wake_hook ON coherex.wake (hook_hash) WHERE hook_hash IS NOT NULL;
CREATE INDEX wake_of_turn ON coherex.wake (team_id, turn_id, call_id);

-- which runs failed since someone looked
CREATE INDEX run_failed ON coherex.run (team_id, ended_at) WHERE status = 'failed';

GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.trigger, coherex.trigger_secret, coherex.delivery, coherex.wake TO :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['trigger', 'trigger_secret', 'delivery', 'wake'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;
-- whoever holds the address of a webhook leads to its row; what is in it is read within the team
CREATE POLICY by_token ON coherex.trigger FOR SELECT USING (hook_hash = coherex.current_token());
CREATE POLICY by_token ON coherex.wake FOR SELECT USING (hook_hash = coherex.current_token());
