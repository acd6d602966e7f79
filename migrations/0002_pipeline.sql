-- What every write leaves beside its record: the response under its idempotency key, and the event in the outbox.

CREATE TABLE trellis.idempotency_keys (
  organization_id uuid NOT NULL,
  client_id uuid NOT NULL,
  user_id uuid NOT NULL,
  key text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 255),
  fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  status smallint NOT NULL,
  location text,
  etag text,
  body text,
  -- Resources that the write published, beyond changing one: a replay needs the same rights.
  published text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, client_id, user_id, key)
);
CREATE INDEX idempotency_keys_created_at ON trellis.idempotency_keys (created_at);

CREATE TABLE trellis.outbox (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  -- The record that contains the subject, such as the site of an article: its address is made of both.
  parent_id uuid,
  subject_version integer NOT NULL,
  actor_user_id uuid,
  actor_client_id uuid,
  request_id text NOT NULL,
  changed_fields text[] NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id)
);

ALTER TABLE trellis.idempotency_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.outbox ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.idempotency_keys TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY organization ON trellis.outbox FOR INSERT TO trellis_api
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.idempotency_keys TO trellis_worker USING (true);
CREATE POLICY worker ON trellis.outbox TO trellis_worker USING (true);

GRANT SELECT, INSERT, DELETE ON trellis.idempotency_keys TO trellis_api;
GRANT INSERT ON trellis.outbox TO trellis_api;
GRANT SELECT, DELETE ON trellis.idempotency_keys TO trellis_worker;
GRANT SELECT ON trellis.outbox TO trellis_worker;
