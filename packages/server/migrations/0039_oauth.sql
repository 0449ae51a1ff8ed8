-- Clients that registered themselves. Who they are is their own word; a person reads it at consent.
CREATE TABLE coherex_auth.oauth_client (
  id text PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- when a person last let it in; none while nobody has
  used_at timestamptz
);
GRANT SELECT, INSERT, UPDATE, DELETE ON coherex_auth.oauth_client TO :app_role;

-- What a person granted to a client in one team. Its rights are those of the key beside it, and it goes with that key.
CREATE TABLE coherex.oauth_grant (
  team_id text NOT NULL,
  key_id text NOT NULL,
  client_id text NOT NULL,
  -- the one place its tokens are for
  resource text NOT NULL,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  code_hash text NOT NULL,
  code_expires_at timestamptz NOT NULL,
  is_code_used boolean NOT NULL DEFAULT false,
  access_hash text,
  access_expires_at timestamptz,
  refresh_hash text,
  refresh_expires_at timestamptz,
  -- the one before: whoever shows it again has stolen it, or was stolen from
  spent_refresh_hash text,
  PRIMARY KEY (team_id, key_id),
  FOREIGN KEY (team_id, key_id) REFERENCES coherex.api_key ON DELETE CASCADE
);
CREATE INDEX oauth_grant_code ON coherex.oauth_grant (code_hash);
CREATE INDEX oauth_grant_access ON coherex.oauth_grant (access_hash);
CREATE INDEX oauth_grant_refresh ON coherex.oauth_grant (refresh_hash);
CREATE INDEX oauth_grant_spent_refresh ON coherex.oauth_grant (spent_refresh_hash);
GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.oauth_grant TO :app_role;
ALTER TABLE coherex.oauth_grant ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.oauth_grant FORCE ROW LEVEL SECURITY;
CREATE POLICY of_team ON coherex.oauth_grant USING (team_id = coherex.current_team()) WITH CHECK (team_id = coherex.current_team());
CREATE POLICY by_token ON coherex.oauth_grant FOR SELECT USING (
  coherex.current_token() IN (code_hash, access_hash, refresh_hash, spent_refresh_hash)
);
