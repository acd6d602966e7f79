-- Signing in: what people prove who they are with, their sessions, and the links that stand in for both.
--
-- These tables belong to people, who may be members of several organizations, so they have no organization_id. trellis_auth
-- alone reads and writes them. A session gives no right by itself: in each organization that is entered it has an ordinary
-- row in tokens, which requests are checked against like every other token.

CREATE TABLE trellis.passwords (
  user_id uuid PRIMARY KEY REFERENCES trellis.users (id),
  -- PHC text (https://github.com/P-H-C/phc-string-format): algorithm, parameters, salt and hash.
  hash text NOT NULL CHECK (hash ~~ '$argon2id$%'),
  changed_at timestamptz(3) NOT NULL DEFAULT now()
);
ALTER TABLE trellis.passwords ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.passwords TO trellis_auth USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.passwords TO trellis_auth;

CREATE TABLE trellis.passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES trellis.users (id),
  -- As the authenticator chose it (WebAuthn, 4: credential ID), base64url.
  credential_id text NOT NULL CONSTRAINT passkeys_credential UNIQUE CHECK (char_length(credential_id) BETWEEN 1 AND 1366),
  -- COSE_Key (RFC 9052).
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3)
);
CREATE INDEX passkeys_user ON trellis.passkeys (user_id);
ALTER TABLE trellis.passkeys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.passkeys TO trellis_auth USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.passkeys TO trellis_auth;

CREATE TABLE trellis.totp_secrets (
  user_id uuid PRIMARY KEY REFERENCES trellis.users (id),
  -- Encrypted under a key that is not in the database.
  sealed_secret text NOT NULL,
  -- The last time step whose code was accepted: that one and those before it are not accepted again (RFC 6238, 5.2).
  last_step bigint NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
ALTER TABLE trellis.totp_secrets ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.totp_secrets TO trellis_auth USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.totp_secrets TO trellis_auth;

CREATE TABLE trellis.recovery_codes (
  user_id uuid NOT NULL REFERENCES trellis.users (id),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (user_id, hash)
);
ALTER TABLE trellis.recovery_codes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.recovery_codes TO trellis_auth USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.recovery_codes TO trellis_auth;

-- Accounts at an OpenID Connect provider. Never found by e-mail address: providers differ in what they verify.
CREATE TABLE trellis.external_identities (
  id uuid PRIMARY KEY,
  issuer text NOT NULL CHECK (char_length(issuer) BETWEEN 1 AND 2000),
  -- Claim sub: at most 255 ASCII characters (OpenID Connect Core 1.0, 2).
  subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
  user_id uuid NOT NULL REFERENCES trellis.users (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT external_identities_subject UNIQUE (issuer, subject)
);
CREATE INDEX external_identities_user ON trellis.external_identities (user_id);
ALTER TABLE trellis.external_identities ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.external_identities TO trellis_auth USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.external_identities TO trellis_auth;

-- The number of changes of what a person signs in with. Who opens a session and who changes a factor locks the row: a session is
-- opened only if nothing has changed since the proof was checked, and a change ends every session that was opened before.
CREATE TABLE trellis.credential_versions (
  user_id uuid PRIMARY KEY REFERENCES trellis.users (id),
  version bigint NOT NULL DEFAULT 0
);
ALTER TABLE trellis.credential_versions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.credential_versions TO trellis_auth USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON trellis.credential_versions TO trellis_auth;

-- What is under way between the first and the last request of a sign-in or an enrolment.
CREATE TABLE trellis.sign_in_challenges (
  secret_hash bytea PRIMARY KEY CHECK (octet_length(secret_hash) = 32),
  kind text NOT NULL,
  -- Null where it is not known yet who signs in.
  user_id uuid REFERENCES trellis.users (id),
  data jsonb NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT sign_in_challenges_kind CHECK (kind IN ('SECOND_FACTOR', 'PASSKEY_SIGN_IN', 'PASSKEY_ENROLMENT', 'TOTP_ENROLMENT', 'EXTERNAL'))
);
CREATE INDEX sign_in_challenges_expires_at ON trellis.sign_in_challenges (expires_at);
CREATE INDEX sign_in_challenges_user ON trellis.sign_in_challenges (user_id);
ALTER TABLE trellis.sign_in_challenges ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.sign_in_challenges TO trellis_auth USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.sign_in_challenges TO trellis_auth;

-- Failed attempts, by keyed hashes of accounts and networks.
CREATE TABLE trellis.sign_in_delays (
  subject bytea PRIMARY KEY CHECK (octet_length(subject) = 32),
  failures integer NOT NULL CHECK (failures > 0),
  -- No attempt is looked at before.
  blocked_until timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX sign_in_delays_updated_at ON trellis.sign_in_delays (updated_at);
ALTER TABLE trellis.sign_in_delays ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.sign_in_delays TO trellis_auth USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.sign_in_delays TO trellis_auth;

CREATE TABLE trellis.sign_in_links (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  user_id uuid NOT NULL REFERENCES trellis.users (id),
  secret_hash bytea NOT NULL CONSTRAINT sign_in_links_secret UNIQUE CHECK (octet_length(secret_hash) = 32),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT sign_in_links_kind CHECK (kind IN ('FIRST_START', 'SIGN_IN', 'RESET'))
);
CREATE INDEX sign_in_links_expires_at ON trellis.sign_in_links (expires_at);
CREATE INDEX sign_in_links_user ON trellis.sign_in_links (user_id);
ALTER TABLE trellis.sign_in_links ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.sign_in_links TO trellis_auth USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.sign_in_links TO trellis_auth;

CREATE TABLE trellis.sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES trellis.users (id),
  -- Of the secret in the cookie, which is stored nowhere.
  secret_hash bytea NOT NULL CONSTRAINT sessions_secret UNIQUE CHECK (octet_length(secret_hash) = 32),
  -- What the browser said of itself, for people who look at their sessions.
  device text NOT NULL CHECK (char_length(device) <= 200),
  authenticated_at timestamptz(3) NOT NULL,
  methods text[] NOT NULL,
  multi_factor boolean NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  idle_seconds integer NOT NULL CHECK (idle_seconds > 0),
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT sessions_methods CHECK (methods <@ ARRAY['PASSWORD', 'TOTP', 'RECOVERY_CODE', 'PASSKEY', 'EXTERNAL', 'LINK']
    AND cardinality(methods) > 0)
);
CREATE INDEX sessions_expires_at ON trellis.sessions (expires_at);
CREATE INDEX sessions_user ON trellis.sessions (user_id);
ALTER TABLE trellis.sessions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.sessions TO trellis_auth USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.sessions TO trellis_auth;
