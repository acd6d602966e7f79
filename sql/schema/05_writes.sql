-- What every write leaves beside its record: the response under its idempotency key, what it has replaced, and the event in the outbox;
-- and who may read what is written.

-- Raises an error unless this server is a standby that has replayed a position of the primary's write-ahead log. It is called at the
-- beginning of a read, so that the rest of its batch is not carried out. Statements after it see what has been replayed only if each
-- of them takes a snapshot of its own.
CREATE OR REPLACE FUNCTION trellis.require_replayed(p_position pg_lsn) RETURNS boolean
  LANGUAGE plpgsql VOLATILE PARALLEL RESTRICTED
  AS $$
BEGIN
  IF pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= p_position
    AND current_setting('transaction_isolation') = 'read committed' THEN
    RETURN true;
  END IF;
  RAISE EXCEPTION 'the position has not been replayed here' USING ERRCODE = 'TR001';
END $$;

-- Whether a caller may read a row. `p_readers`: user ids and role names that may read it; NULL: every member. `p_reader`: the
-- reader keys of the caller, see readers_of. Used by every policy and search; PostgreSQL inlines it, so that it is free and the
-- planner sees its conditions.
CREATE OR REPLACE FUNCTION trellis.may_read(p_readers text[], p_reader text[]) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN p_readers IS NULL OR p_readers && p_reader;

-- The reader keys of a user in an organization: the user id, the current role, and for a custom role `read:` and the name of each
-- resource that it may read. Called by every list and search. PL/pgSQL caches its plans and reads the permissions of custom roles
-- only.
CREATE OR REPLACE FUNCTION trellis.readers_of(p_organization uuid, p_user uuid) RETURNS text[]
  LANGUAGE plpgsql STABLE PARALLEL SAFE
  AS $$
DECLARE
  own_role text;
  own_role_id uuid;
BEGIN
  SELECT m.role, m.role_id INTO own_role, own_role_id FROM trellis.memberships m
    WHERE m.organization_id = p_organization AND m.user_id = p_user;
  IF own_role_id IS NULL THEN
    RETURN ARRAY[p_user::text, own_role];
  END IF;
  RETURN ARRAY[p_user::text, own_role] || ARRAY(
    SELECT 'read:' || (p.value ->> 'resource') FROM trellis.roles r, json_array_elements(r.grants) p
    WHERE r.organization_id = p_organization AND r.id = own_role_id AND p.value ->> 'action' = 'read');
END $$;

-- The reader keys of the current user in the current organization; see readers_of.
CREATE OR REPLACE FUNCTION trellis.current_readers() RETURNS text[]
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN trellis.readers_of(trellis.current_organization(), trellis.current_user_id());

-- Whether the transaction may see all files and views of the organization: set after an authorized write that may make a
-- record invisible to its own caller.
CREATE OR REPLACE FUNCTION trellis.sees_all_files() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('trellis.all_files', true), '') = 'on';

CREATE TABLE trellis.idempotency_keys (
  organization_id uuid NOT NULL,
  client_id uuid NOT NULL,
  user_id uuid NOT NULL,
  key text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 255),
  fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  status smallint NOT NULL,
  location text,
  etag text,
  -- What the response shows: NOTHING has no body; RECORD is the record at the version in the etag, which is rendered; OTHER is the stored
  -- body, or NULL when it was erased.
  shows text NOT NULL CHECK (shows IN ('NOTHING', 'RECORD', 'OTHER')),
  body text CHECK (body IS NULL OR shows = 'OTHER'),
  -- Resources that the write published, beyond changing one: a replay needs the same rights.
  published text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- The record that the response is about.
  subject_id uuid,
  PRIMARY KEY (organization_id, client_id, user_id, key)
);
CREATE INDEX idempotency_keys_created_at ON trellis.idempotency_keys (created_at);
-- The bodies that are erased with their record.
CREATE INDEX idempotency_keys_subject ON trellis.idempotency_keys (organization_id, subject_id)
  WHERE subject_id IS NOT NULL AND body IS NOT NULL;
ALTER TABLE trellis.idempotency_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_deletes ON trellis.idempotency_keys FOR DELETE TO trellis_api
  USING (organization_id = trellis.current_organization());
-- The body of a stored response is erased, and never replaced by another one.
CREATE POLICY organization_erases ON trellis.idempotency_keys FOR UPDATE TO trellis_api
  USING (organization_id = trellis.current_organization())
  WITH CHECK (organization_id = trellis.current_organization() AND body IS NULL);
CREATE POLICY organization_inserts ON trellis.idempotency_keys FOR INSERT TO trellis_api
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY organization_reads ON trellis.idempotency_keys FOR SELECT TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY worker_deletes ON trellis.idempotency_keys FOR DELETE TO trellis_worker USING (true);
CREATE POLICY worker_erases ON trellis.idempotency_keys FOR UPDATE TO trellis_worker USING (true) WITH CHECK (body IS NULL);
CREATE POLICY worker_reads ON trellis.idempotency_keys FOR SELECT TO trellis_worker USING (true);
GRANT SELECT, INSERT, DELETE ON trellis.idempotency_keys TO trellis_api;
GRANT SELECT, DELETE ON trellis.idempotency_keys TO trellis_worker;
GRANT UPDATE (body) ON trellis.idempotency_keys TO trellis_api, trellis_worker;

-- What each change of a record has replaced, and by what, by the version that it made. A creation has no row: its values are those that the
-- changes since have left or replaced.
CREATE TABLE trellis.changes (
  organization_id uuid NOT NULL,
  record_id uuid NOT NULL,
  version integer NOT NULL CHECK (version > 1),
  changed_at timestamptz(3) NOT NULL,
  -- Null for the system.
  changed_by uuid,
  client_id uuid,
  action text NOT NULL CHECK (action IN ('updated', 'deleted', 'restored')),
  -- Who could read the record before and after the change; NULL: every member. Only who could both times reads the row.
  readers_before text[],
  readers text[],
  -- JSON: the values before and after by the field, see packages/server/src/kernel/pipeline/changes.ts. PostgreSQL knows the length of a large
  -- text without reading it, and that of json only then.
  fields text NOT NULL,
  PRIMARY KEY (organization_id, record_id, version)
);
ALTER TABLE trellis.changes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- The role that signs people in disables what acts for a claimed account, which nobody restores.
CREATE POLICY auth ON trellis.changes FOR INSERT TO trellis_auth WITH CHECK (action = 'updated' AND readers IS NULL);
CREATE POLICY organization_deletes ON trellis.changes FOR DELETE TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY organization_inserts ON trellis.changes FOR INSERT TO trellis_api
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY organization_reads ON trellis.changes FOR SELECT TO trellis_api
  USING (organization_id = trellis.current_organization()
    AND (trellis.may_read(readers_before, (SELECT trellis.current_readers())) AND trellis.may_read(readers, (SELECT trellis.current_readers()))
      OR (SELECT trellis.sees_all_files())));
CREATE POLICY worker ON trellis.changes TO trellis_worker USING (true);
GRANT SELECT, INSERT, DELETE ON trellis.changes TO trellis_api, trellis_worker;
GRANT INSERT ON trellis.changes TO trellis_auth;

-- Erased records with more changes or stored responses than one transaction deletes; a sweep deletes the rest.
CREATE TABLE trellis.erasures (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  record_id uuid NOT NULL,
  PRIMARY KEY (organization_id, record_id)
);
ALTER TABLE trellis.erasures ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.erasures FOR INSERT TO trellis_api
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.erasures TO trellis_worker USING (true);
-- What operators and sign-ins change is written as the API writes it: erasing what is stored about a removed member, the version of a
-- revoked token, and the instant at which somebody joined.
GRANT INSERT ON trellis.erasures TO trellis_api;
GRANT SELECT, INSERT, DELETE ON trellis.erasures TO trellis_worker;

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
  readers text[],
  -- Null where no token asked.
  actor_token_id uuid,
  -- How the person had signed in.
  actor_methods text[],
  PRIMARY KEY (organization_id, id)
);
ALTER TABLE trellis.outbox ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- The role that signs people in tells of sessions and of members, and of nothing else.
CREATE POLICY auth ON trellis.outbox FOR INSERT TO trellis_auth
  WITH CHECK (subject_type IN ('member', 'session', 'invitation', 'token', 'webhook-endpoint'));
CREATE POLICY organization ON trellis.outbox FOR INSERT TO trellis_api
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.outbox TO trellis_worker USING (true);
-- Administration leaves an event of each change, in the transaction of the change.
GRANT INSERT ON trellis.outbox TO trellis_api, trellis_auth;
GRANT SELECT, INSERT, DELETE ON trellis.outbox TO trellis_worker;
