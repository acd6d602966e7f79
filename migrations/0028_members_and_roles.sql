-- Members and roles as records of the API, with versions and events like all others.

CREATE TABLE trellis.roles (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  key text NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  -- A list of {resource, action, own?}. Empty for built-in roles, whose permissions are those of the release.
  grants json NOT NULL,
  built_in boolean NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT roles_key UNIQUE (organization_id, key)
);
CREATE INDEX roles_created_at ON trellis.roles (organization_id, created_at, id);
CREATE INDEX roles_updated_at ON trellis.roles (organization_id, updated_at, id);
CREATE INDEX roles_name ON trellis.roles (organization_id, name, id);

ALTER TABLE trellis.roles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.roles TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.roles TO trellis_worker USING (true) WITH CHECK (true);
CREATE POLICY auth ON trellis.roles FOR SELECT TO trellis_auth USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.roles TO trellis_api;
GRANT SELECT, INSERT ON trellis.roles TO trellis_worker;
GRANT SELECT ON trellis.roles TO trellis_auth;

-- role is the key of a built-in role, or the id of another one. The previous release reads and writes it as well; it refuses
-- the tokens of members whose role it does not know.
ALTER TABLE trellis.memberships
  DROP CONSTRAINT memberships_role_check,
  ADD COLUMN id uuid NOT NULL GENERATED ALWAYS AS (user_id) STORED,
  ADD COLUMN role_id uuid GENERATED ALWAYS AS (
    CASE WHEN role IN ('OWNER', 'ADMIN', 'EDITOR', 'AUTHOR', 'VIEWER') THEN NULL ELSE role::uuid END) STORED,
  ADD COLUMN status text NOT NULL DEFAULT 'ACTIVE' CONSTRAINT memberships_status CHECK (status IN ('ACTIVE', 'DISABLED')),
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN created_by uuid,
  ADD COLUMN updated_by uuid,
  ADD CONSTRAINT memberships_id UNIQUE (organization_id, id),
  ADD FOREIGN KEY (organization_id, role_id) REFERENCES trellis.roles (organization_id, id);
CREATE INDEX memberships_role_id ON trellis.memberships (organization_id, role_id) WHERE role_id IS NOT NULL;
CREATE INDEX memberships_created_at ON trellis.memberships (organization_id, created_at, id);
CREATE INDEX memberships_updated_at ON trellis.memberships (organization_id, updated_at, id);

-- Whether somebody has a second factor, for those who may not read factors. Kept by the statements that change them.
ALTER TABLE trellis.users ADD COLUMN has_mfa boolean NOT NULL DEFAULT false;
GRANT SELECT (has_mfa) ON trellis.users TO trellis_api;
GRANT UPDATE (has_mfa) ON trellis.users TO trellis_auth;
CREATE POLICY auth_factors ON trellis.users FOR UPDATE TO trellis_auth USING (true) WITH CHECK (true);

-- Members are changed and removed on behalf of others; who is removed loses the tokens of the organization with it.
GRANT UPDATE (role, status, version, updated_at, updated_by), DELETE ON trellis.memberships TO trellis_api;
GRANT UPDATE (revoked_at) ON trellis.tokens TO trellis_api;

-- Members are created by the background role, and made findable by the indexer.
GRANT INSERT ON trellis.search_marks TO trellis_worker;

-- What is there already. Row-level security binds the owner too, so it is let in for the duration of this transaction.
CREATE POLICY filling ON trellis.organizations FOR SELECT TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.memberships TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.users TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.passkeys FOR SELECT TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.totp_secrets FOR SELECT TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.roles TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.search_marks TO trellis_owner USING (true);

UPDATE trellis.users u SET has_mfa = true
  WHERE EXISTS (SELECT FROM trellis.passkeys p WHERE p.user_id = u.id)
    OR EXISTS (SELECT FROM trellis.totp_secrets s WHERE s.user_id = u.id);
UPDATE trellis.memberships SET updated_at = created_at;
INSERT INTO trellis.roles (organization_id, id, version, created_at, updated_at, key, name, grants, built_in)
  SELECT o.id, r.id, 1, o.created_at, o.created_at, r.key, r.name, '[]', true
  FROM trellis.organizations o, (VALUES
    ('00000000-0000-0000-0000-000000000001'::uuid, 'OWNER', 'Owner'),
    ('00000000-0000-0000-0000-000000000002', 'ADMIN', 'Administrator'),
    ('00000000-0000-0000-0000-000000000003', 'EDITOR', 'Editor'),
    ('00000000-0000-0000-0000-000000000004', 'AUTHOR', 'Author'),
    ('00000000-0000-0000-0000-000000000005', 'VIEWER', 'Viewer')) AS r (id, key, name);
INSERT INTO trellis.search_marks
    (organization_id, type, record_id, parent_id, number, editions, whole, available_at, attempts)
  SELECT organization_id, 'role', id, organization_id, 1, '{}'::integer[], true, now(), 0 FROM trellis.roles
  UNION ALL
  SELECT organization_id, 'member', id, organization_id, 1, '{}'::integer[], true, now(), 0 FROM trellis.memberships;

DROP POLICY filling ON trellis.organizations;
DROP POLICY filling ON trellis.memberships;
DROP POLICY filling ON trellis.users;
DROP POLICY filling ON trellis.passkeys;
DROP POLICY filling ON trellis.totp_secrets;
DROP POLICY filling ON trellis.roles;
DROP POLICY filling ON trellis.search_marks;
