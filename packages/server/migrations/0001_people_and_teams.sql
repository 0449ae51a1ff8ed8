-- Who may see what: set for each transaction with SET LOCAL, empty otherwise.
CREATE SCHEMA coherex;
GRANT USAGE ON SCHEMA coherex, coherex_auth TO :app_role;

CREATE FUNCTION coherex.current_team() RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT nullif(current_setting('app.team', true), '') $$;
CREATE FUNCTION coherex.current_person() RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT nullif(current_setting('app.person', true), '') $$;
CREATE FUNCTION coherex.current_token() RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT nullif(current_setting('app.token', true), '') $$;

-- Sign-in. These tables have no team: they say who someone is before a team is known.
CREATE TABLE coherex_auth.installation (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- proves that the secret key is the one the data was sealed with
  key_check text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE coherex_auth.person (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  operator boolean NOT NULL DEFAULT false,
  setup_done boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE coherex_auth.session (
  id text PRIMARY KEY,
  token text NOT NULL UNIQUE,
  person_id text NOT NULL REFERENCES coherex_auth.person ON DELETE CASCADE,
  active_team_id text,
  ip_address text,
  user_agent text,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX session_person ON coherex_auth.session (person_id);

CREATE TABLE coherex_auth.account (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES coherex_auth.person ON DELETE CASCADE,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);
CREATE INDEX account_person ON coherex_auth.account (person_id);

CREATE TABLE coherex_auth.verification (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX verification_identifier ON coherex_auth.verification (identifier);

-- Links that work once: the one printed at the start, and password resets. Only hashes are kept.
CREATE TABLE coherex_auth.one_time_link (
  hash text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('sign-in', 'reset')),
  person_id text NOT NULL REFERENCES coherex_auth.person ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);

-- Failed sign-ins, counted for an account and address, and for an account.
CREATE TABLE coherex_auth.attempt (
  key text PRIMARY KEY,
  count integer NOT NULL,
  resets_at timestamptz NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA coherex_auth TO :app_role;
REVOKE INSERT, UPDATE, DELETE ON coherex_auth.migration FROM :app_role;
REVOKE ALL ON coherex_auth.app_role FROM :app_role;

-- Teams. Keys of product tables begin with the team, so that no constraint tells of another team's row.
CREATE TABLE coherex.team (
  team_id text PRIMARY KEY,
  name text NOT NULL,
  -- what differs from the defaults
  quotas jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE coherex.member (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  person_id text NOT NULL REFERENCES coherex_auth.person ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin', 'owner')),
  joined_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, person_id)
);
CREATE INDEX member_person ON coherex.member (person_id);

CREATE TABLE coherex.invitation (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  id text NOT NULL,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin', 'owner')),
  token_hash text NOT NULL,
  invited_by text NOT NULL REFERENCES coherex_auth.person ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id)
);
CREATE INDEX invitation_token ON coherex.invitation (token_hash);
CREATE UNIQUE INDEX invitation_email ON coherex.invitation (team_id, email);

CREATE TABLE coherex.api_key (
  team_id text NOT NULL,
  id text NOT NULL,
  person_id text NOT NULL,
  name text NOT NULL,
  start text NOT NULL,
  token_hash text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  PRIMARY KEY (team_id, id),
  -- whoever leaves the team takes their keys with them
  FOREIGN KEY (team_id, person_id) REFERENCES coherex.member ON DELETE CASCADE
);
CREATE INDEX api_key_token ON coherex.api_key (token_hash);

-- Each team's secrets are sealed with a key of their own, which is sealed with the installation's key.
CREATE TABLE coherex.team_key (
  team_id text PRIMARY KEY REFERENCES coherex.team ON DELETE CASCADE,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE coherex.secret (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  hint text NOT NULL,
  sealed bytea NOT NULL,
  updated_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, id),
  UNIQUE (team_id, name)
);

CREATE TABLE coherex.audit_event (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  id text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  actor_kind text NOT NULL CHECK (actor_kind IN ('person', 'key', 'agent', 'system')),
  actor_id text,
  actor_name text NOT NULL,
  action text NOT NULL,
  target_kind text,
  target_id text,
  target_name text,
  details jsonb NOT NULL DEFAULT '{}',
  ip text,
  request_id text,
  PRIMARY KEY (team_id, id)
);
CREATE INDEX audit_event_at ON coherex.audit_event (team_id, at DESC, id DESC);

CREATE TABLE coherex.idempotency_key (
  team_id text NOT NULL REFERENCES coherex.team ON DELETE CASCADE,
  -- the person or API key that sent it
  sender text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  -- empty while the first request is under way
  status integer,
  body text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, sender, key)
);
CREATE INDEX idempotency_key_age ON coherex.idempotency_key (created_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA coherex TO :app_role;
-- the log is written and, when old, pruned; it is never changed
REVOKE UPDATE ON coherex.audit_event FROM :app_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['team', 'member', 'invitation', 'api_key', 'team_key', 'secret', 'audit_event', 'idempotency_key'] LOOP
    EXECUTE format('ALTER TABLE coherex.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE coherex.%I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['team', 'member', 'invitation', 'api_key', 'team_key', 'secret', 'idempotency_key'] LOOP
    EXECUTE format('CREATE POLICY of_team ON coherex.%I USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team())', name);
  END LOOP;
END $$;

CREATE POLICY read_team ON coherex.audit_event FOR SELECT USING (team_id = coherex.current_team());
CREATE POLICY write_team ON coherex.audit_event FOR INSERT WITH CHECK (team_id = coherex.current_team());
CREATE POLICY prune_team ON coherex.audit_event FOR DELETE
  USING (team_id = coherex.current_team() AND at < now() - interval '7 days');

-- What someone may read before a team is set: their own memberships, and the row their key or link belongs to.
CREATE POLICY own_membership ON coherex.member FOR SELECT USING (person_id = coherex.current_person());
CREATE POLICY own_team ON coherex.team FOR SELECT USING (
  EXISTS (SELECT FROM coherex.member WHERE member.team_id = team.team_id AND member.person_id = coherex.current_person())
);
CREATE POLICY list_teams ON coherex.team FOR SELECT USING (current_setting('app.scope', true) = 'list-teams');
CREATE POLICY by_token ON coherex.invitation FOR SELECT USING (token_hash = coherex.current_token());
CREATE POLICY by_token ON coherex.api_key FOR SELECT USING (token_hash = coherex.current_token());
