-- Who may do what: organizations, users, memberships, clients and tokens.
--
-- Isolation stands twice. Keys of every tenant table begin with organization_id, so a reference into another
-- organization cannot be stored. Row-level security (FORCE) shows a transaction only the organization that it named
-- in trellis.organization. trellis_api serves requests; trellis_worker does background and command-line work that
-- crosses organizations, with exactly the grants it needs; neither owns anything.

GRANT USAGE ON SCHEMA trellis TO trellis_api, trellis_worker, trellis_search;

-- The organization of the current transaction, or NULL when none was named. The setting reads '' after a transaction
-- that had set it, which is not a uuid.
CREATE FUNCTION trellis.current_organization() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('trellis.organization', true), '')::uuid;

CREATE TABLE trellis.organizations (
  id uuid PRIMARY KEY,
  key text NOT NULL CONSTRAINT organizations_key UNIQUE CHECK (char_length(key) BETWEEN 1 AND 63),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'SUSPENDED')),
  modules text[] NOT NULL,
  default_country text CHECK (default_country ~ '^[A-Z]{2}$'),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE trellis.users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_normalized text NOT NULL CONSTRAINT users_email UNIQUE,
  name text NOT NULL,
  password_hash text,
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE trellis.memberships (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  user_id uuid NOT NULL REFERENCES trellis.users (id),
  role text NOT NULL CHECK (role IN ('OWNER', 'ADMIN', 'EDITOR', 'AUTHOR', 'VIEWER')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id)
);

CREATE TABLE trellis.clients (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  kind text NOT NULL CHECK (kind IN ('SERVER', 'CONSOLE', 'CLI', 'BROWSER')),
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT clients_name UNIQUE (organization_id, name)
);

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
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, client_id) REFERENCES trellis.clients (organization_id, id)
);
-- Not unique: a unique index would have to begin with organization_id, and two equal SHA-256 hashes do not happen.
CREATE INDEX tokens_secret_hash ON trellis.tokens (secret_hash);
CREATE INDEX tokens_user ON trellis.tokens (organization_id, user_id);

ALTER TABLE trellis.organizations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.users ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.memberships ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.clients ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE POLICY organization ON trellis.organizations TO trellis_api USING (id = trellis.current_organization());
CREATE POLICY organization ON trellis.memberships TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY organization ON trellis.clients TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY organization ON trellis.tokens TO trellis_api USING (organization_id = trellis.current_organization());
-- Who holds a token's hash may learn which organization it opens: before that, no organization can be named.
CREATE POLICY presented ON trellis.tokens FOR SELECT TO trellis_api
  USING (secret_hash = decode(nullif(current_setting('trellis.token_hash', true), ''), 'hex'));
-- Users are shared by organizations: a transaction sees the members of its own.
CREATE POLICY members ON trellis.users FOR SELECT TO trellis_api
  USING (EXISTS (SELECT FROM trellis.memberships m
                 WHERE m.organization_id = trellis.current_organization() AND m.user_id = users.id));

CREATE POLICY worker ON trellis.organizations TO trellis_worker USING (true) WITH CHECK (true);
CREATE POLICY worker ON trellis.users TO trellis_worker USING (true) WITH CHECK (true);
CREATE POLICY worker ON trellis.memberships TO trellis_worker USING (true) WITH CHECK (true);
CREATE POLICY worker ON trellis.clients TO trellis_worker USING (true) WITH CHECK (true);
CREATE POLICY worker ON trellis.tokens TO trellis_worker USING (true) WITH CHECK (true);

GRANT SELECT ON trellis.organizations, trellis.memberships, trellis.clients, trellis.tokens TO trellis_api;
GRANT SELECT (id, name, email, status) ON trellis.users TO trellis_api;
GRANT UPDATE (last_used_at) ON trellis.tokens TO trellis_api;
GRANT SELECT, INSERT, UPDATE ON trellis.organizations, trellis.users, trellis.clients, trellis.tokens TO trellis_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.memberships TO trellis_worker;
