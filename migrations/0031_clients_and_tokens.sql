-- Clients, tokens and sessions as records of the API, with versions and events like all others.

ALTER TABLE trellis.clients
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN created_by uuid,
  ADD COLUMN updated_by uuid;
CREATE INDEX clients_created_at ON trellis.clients (organization_id, created_at, id);
CREATE INDEX clients_updated_at ON trellis.clients (organization_id, updated_at, id);

ALTER TABLE trellis.tokens
  ADD COLUMN name text NOT NULL DEFAULT 'Token' CHECK (char_length(name) BETWEEN 1 AND 120),
  -- The first characters, by which people recognize a token; they are too few to guess the rest.
  ADD COLUMN start text CHECK (char_length(start) = 12),
  -- What the browser of a session said of itself.
  ADD COLUMN device text CHECK (char_length(device) <= 200),
  ADD COLUMN lifetime_days integer NOT NULL DEFAULT 90 CHECK (lifetime_days BETWEEN 1 AND 365),
  ADD COLUMN never_expires boolean NOT NULL DEFAULT false,
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN created_by uuid,
  ADD COLUMN updated_by uuid;
CREATE INDEX tokens_created_at ON trellis.tokens (organization_id, created_at, id) WHERE revoked_at IS NULL;
CREATE INDEX tokens_client ON trellis.tokens (organization_id, client_id);

-- The serving role makes, replaces and revokes tokens, on behalf of people who may. It reads no hash that it was not given.
GRANT INSERT, UPDATE (name, status, version, updated_at, updated_by), DELETE ON trellis.clients TO trellis_api;
GRANT INSERT, DELETE ON trellis.publishable_keys TO trellis_api;
GRANT INSERT, DELETE ON trellis.publishable_key_origins TO trellis_api;
GRANT INSERT, UPDATE (name, expires_at, version, updated_at, updated_by) ON trellis.tokens TO trellis_api;

-- What is there already. Row-level security binds the owner too, so it is let in for the duration of this transaction.
CREATE POLICY filling ON trellis.clients TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.tokens TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.search_marks TO trellis_owner USING (true);
UPDATE trellis.clients SET updated_at = created_at;
UPDATE trellis.tokens SET updated_at = created_at, never_expires = expires_at IS NULL,
  lifetime_days = coalesce(least(365, greatest(1, ceil(extract(epoch FROM expires_at - created_at) / 86400)::integer)), 90);
INSERT INTO trellis.search_marks
    (organization_id, type, record_id, parent_id, number, editions, whole, available_at, attempts)
  SELECT organization_id, 'client', id, organization_id, 1, '{}'::integer[], true, now(), 0 FROM trellis.clients
  UNION ALL
  SELECT organization_id, 'token', id, organization_id, 1, '{}'::integer[], true, now(), 0 FROM trellis.tokens
  WHERE session_id IS NULL AND revoked_at IS NULL;
DROP POLICY filling ON trellis.clients;
DROP POLICY filling ON trellis.tokens;
DROP POLICY filling ON trellis.search_marks;
