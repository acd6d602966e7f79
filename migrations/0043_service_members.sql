-- Service members: members that are programs. They have no address and so no way to sign in, and a member who answers for them. Tokens for
-- programs are theirs; people make tokens for themselves only.

ALTER TABLE trellis.users
  ALTER COLUMN email DROP NOT NULL,
  ALTER COLUMN email_normalized DROP NOT NULL,
  -- The organization that a service member belongs to, alone; null for a person, who may be a member of several.
  ADD COLUMN service_of uuid REFERENCES trellis.organizations (id),
  ADD CONSTRAINT users_address CHECK (num_nulls(email, email_normalized) = CASE WHEN service_of IS NULL THEN 0 ELSE 2 END);
ALTER TABLE trellis.memberships
  -- Of a service member: the person who answers for it, and cannot leave before somebody else does. Null for a person.
  ADD COLUMN responsible_user_id uuid,
  ADD CONSTRAINT memberships_responsible FOREIGN KEY (organization_id, responsible_user_id)
    REFERENCES trellis.memberships (organization_id, user_id),
  ADD CONSTRAINT memberships_not_responsible_for_itself CHECK (responsible_user_id <> user_id);
CREATE INDEX memberships_responsible_user_id ON trellis.memberships (organization_id, responsible_user_id)
  WHERE responsible_user_id IS NOT NULL;

-- The serving role makes service members and names them. Of people it makes no account and no membership, and changes no name.
GRANT SELECT (service_of), INSERT (id, name, service_of), UPDATE (name, updated_at) ON trellis.users TO trellis_api;
CREATE POLICY service_members_made ON trellis.users FOR INSERT TO trellis_api
  WITH CHECK (service_of = trellis.current_organization());
CREATE POLICY service_members_named ON trellis.users FOR UPDATE TO trellis_api
  USING (service_of = trellis.current_organization());
GRANT INSERT (organization_id, user_id, role, status, version, created_at, updated_at, created_by, updated_by, responsible_user_id),
  UPDATE (responsible_user_id) ON trellis.memberships TO trellis_api;
CREATE POLICY service_members_only ON trellis.memberships AS RESTRICTIVE FOR INSERT TO trellis_api
  WITH CHECK (responsible_user_id IS NOT NULL);

-- The role that signs people in does not see service members.
DROP POLICY auth ON trellis.users;
CREATE POLICY auth ON trellis.users FOR SELECT TO trellis_auth USING (email IS NOT NULL);

-- A client that is deleted takes the rows of its ended tokens with it.
GRANT DELETE ON trellis.tokens TO trellis_api;
CREATE POLICY ended_only ON trellis.tokens AS RESTRICTIVE FOR DELETE TO trellis_api
  USING (revoked_at IS NOT NULL OR session_id IS NOT NULL AND expires_at <= now());

-- Tokens that somebody made for somebody else end, each with an event in its organization. From this release on they are refused anyway.
-- Row-level security binds the owner too, so it is let in for the duration of this transaction. Ids are UUIDv7 (RFC 9562, 5.7).
CREATE POLICY filling ON trellis.tokens TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.outbox FOR INSERT TO trellis_owner WITH CHECK (true);
CREATE POLICY filling ON trellis.search_marks TO trellis_owner USING (true);
WITH ended AS (
  UPDATE trellis.tokens SET revoked_at = clock_timestamp()
  WHERE session_id IS NULL AND revoked_at IS NULL AND created_by <> user_id
  RETURNING organization_id, id
), told AS (
  INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, subject_version, request_id, changed_fields,
      occurred_at, readers)
  SELECT organization_id, (lpad(to_hex(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7' ||
      substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
    'token.deleted', 'token', id, 1, 'migration 0043', '{}', clock_timestamp(), '{OWNER,ADMIN}'
  FROM ended
)
INSERT INTO trellis.search_marks AS m
    (organization_id, type, record_id, parent_id, number, editions, whole, available_at, attempts)
  SELECT organization_id, 'token', id, organization_id, 1, '{}'::integer[], true, now(), 0 FROM ended
  ON CONFLICT (organization_id, type, record_id) DO UPDATE SET number = m.number + 1, whole = true, attempts = 0,
    available_at = excluded.available_at;
DROP POLICY filling ON trellis.tokens;
DROP POLICY filling ON trellis.outbox;
DROP POLICY filling ON trellis.search_marks;
