-- Clients and tokens of an organization, and the tokens of sessions. The serving role makes, replaces and revokes tokens, on behalf
-- of people who may. It reads no hash that it was not given.

CREATE TABLE trellis.clients (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  kind text NOT NULL CHECK (kind IN ('SERVER', 'CONSOLE', 'CLI', 'BROWSER')),
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT clients_name UNIQUE (organization_id, name)
);
CREATE INDEX clients_created_at ON trellis.clients (organization_id, created_at, id);
CREATE INDEX clients_updated_at ON trellis.clients (organization_id, updated_at, id);
ALTER TABLE trellis.clients ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.clients FOR SELECT TO trellis_auth USING (true);
CREATE POLICY organization ON trellis.clients TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.clients TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON trellis.clients TO trellis_api;
GRANT SELECT, INSERT, UPDATE ON trellis.clients TO trellis_worker;
GRANT SELECT ON trellis.clients TO trellis_auth;
GRANT UPDATE (name, status, version, updated_at, updated_by) ON trellis.clients TO trellis_api;

CREATE TABLE trellis.tokens (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES trellis.users (id),
  client_id uuid NOT NULL,
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  resources text[] NOT NULL CHECK (cardinality(resources) > 0),
  scopes text[] NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The token rows of sessions. No foreign key: the row of a token outlives that of its session, which is deleted by whom it
  -- belongs to.
  session_id uuid,
  idle_seconds integer CHECK (idle_seconds > 0),
  authenticated_at timestamptz(3),
  sign_in_methods text[],
  multi_factor boolean,
  name text NOT NULL DEFAULT 'Token' CHECK (char_length(name) BETWEEN 1 AND 120),
  -- The first characters, by which people recognize a token; they are too few to guess the rest.
  start text CHECK (char_length(start) = 12),
  -- What the browser of a session said of itself.
  device text CHECK (char_length(device) <= 200),
  lifetime_days integer NOT NULL DEFAULT 90 CHECK (lifetime_days BETWEEN 1 AND 365),
  never_expires boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  -- What a session has deleted since its sign-in was recent last. The constraint is what refuses more, also of many at the same time.
  deletions integer NOT NULL DEFAULT 0,
  deletions_since timestamptz(3),
  -- A session may have a second token in an organization, which cannot publish: an autosave is sent with it.
  drafts_only boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, client_id) REFERENCES trellis.clients (organization_id, id),
  CONSTRAINT tokens_deletions CHECK (deletions <= 100),
  CONSTRAINT tokens_drafts_only CHECK (session_id IS NOT NULL OR NOT drafts_only),
  CONSTRAINT tokens_session CHECK
    (num_nonnulls(session_id, idle_seconds, authenticated_at, sign_in_methods, multi_factor) IN (0, 5))
);
CREATE INDEX tokens_client ON trellis.tokens (organization_id, client_id);
CREATE INDEX tokens_created_at ON trellis.tokens (organization_id, created_at, id) WHERE revoked_at IS NULL;
-- Not unique: a unique index would have to begin with organization_id, and two equal SHA-256 hashes do not happen.
CREATE INDEX tokens_secret_hash ON trellis.tokens (secret_hash);
CREATE UNIQUE INDEX tokens_session_drafts ON trellis.tokens (organization_id, session_id, drafts_only) WHERE session_id IS NOT NULL;
CREATE INDEX tokens_session_id ON trellis.tokens (session_id) WHERE session_id IS NOT NULL;
-- The sessions of an organization, in the order of their list.
CREATE INDEX tokens_sessions ON trellis.tokens (organization_id, created_at, id) WHERE session_id IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX tokens_user ON trellis.tokens (organization_id, user_id);
ALTER TABLE trellis.tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.tokens TO trellis_auth USING (session_id IS NOT NULL) WITH CHECK (session_id IS NOT NULL);
-- An account that somebody else may have prepared is claimed by who has shown that it is theirs: the role that signs people in
-- revokes the tokens that were made for it, and those that it made for service members.
CREATE POLICY auth_claims ON trellis.tokens FOR UPDATE TO trellis_auth
  USING (EXISTS (SELECT FROM trellis.users u WHERE u.id = tokens.user_id AND NOT u.address_proven)
    OR EXISTS (SELECT FROM trellis.users u WHERE u.id = tokens.created_by AND NOT u.address_proven))
  WITH CHECK (revoked_at IS NOT NULL);
CREATE POLICY auth_reads_to_claim ON trellis.tokens FOR SELECT TO trellis_auth
  USING (EXISTS (SELECT FROM trellis.users u WHERE u.id = tokens.user_id AND NOT u.address_proven)
    OR EXISTS (SELECT FROM trellis.users u WHERE u.id = tokens.created_by AND NOT u.address_proven));
-- A client that is deleted takes the rows of its ended tokens with it; the serving role deletes no others.
CREATE POLICY organization_deletes_ended ON trellis.tokens FOR DELETE TO trellis_api
  USING (organization_id = trellis.current_organization() AND (revoked_at IS NOT NULL OR session_id IS NOT NULL AND expires_at <= now()));
CREATE POLICY organization_inserts ON trellis.tokens FOR INSERT TO trellis_api
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY organization_reads ON trellis.tokens FOR SELECT TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY organization_updates ON trellis.tokens FOR UPDATE TO trellis_api
  USING (organization_id = trellis.current_organization());
-- Who holds a token's hash may learn which organization it opens: before that, no organization can be named.
CREATE POLICY presented ON trellis.tokens FOR SELECT TO trellis_api
  USING (secret_hash = decode(nullif(current_setting('trellis.token_hash', true), ''), 'hex'));
CREATE POLICY worker ON trellis.tokens TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON trellis.tokens TO trellis_api, trellis_auth;
GRANT SELECT, INSERT, UPDATE ON trellis.tokens TO trellis_worker;
GRANT UPDATE (secret_hash, revoked_at, last_used_at, authenticated_at, sign_in_methods, multi_factor, version)
  ON trellis.tokens TO trellis_auth;
GRANT UPDATE (
    expires_at, revoked_at, last_used_at, name, version, updated_at, updated_by, deletions, deletions_since
  ) ON trellis.tokens TO trellis_api;
