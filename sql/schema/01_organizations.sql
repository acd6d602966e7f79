-- Who may do what: organizations, roles, users and memberships.
--
-- Isolation stands twice. Keys of every tenant table begin with organization_id, so a reference into another
-- organization cannot be stored. Row-level security (FORCE) shows a transaction only the organization that it named
-- in trellis.organization. Each role has one permissive policy for each command: policies that permit are combined with
-- OR, so everything that limits a role is in the one that permits. See docs/decisions/0102-one-policy-for-each-command.md.
--
-- trellis_api serves requests; trellis_auth signs people in; trellis_worker does background and command-line work that
-- crosses organizations, with exactly the grants it needs; none of them owns anything.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
GRANT USAGE ON SCHEMA trellis TO trellis_search, trellis_auth;

-- How lists are sorted by titles and names: the root order of Unicode, with digits by their value. Case and accents decide only between
-- texts that are otherwise equal, and code points between those that are equal then. See docs/decisions/0150-alphabetical-order.md.
CREATE COLLATION trellis.alphabetical (provider = icu, locale = 'und-u-kn-true');

-- The organization of the current transaction, or NULL. After a transaction that had set it, the setting reads ''.
CREATE OR REPLACE FUNCTION trellis.current_organization() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('trellis.organization', true), '')::uuid;

-- The user on whose behalf the current transaction runs, or NULL.
CREATE OR REPLACE FUNCTION trellis.current_user_id() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('trellis.user', true), '')::uuid;

CREATE TABLE trellis.organizations (
  id uuid PRIMARY KEY,
  key text NOT NULL CONSTRAINT organizations_key UNIQUE CHECK (char_length(key) BETWEEN 1 AND 63),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'SUSPENDED')),
  modules text[] NOT NULL,
  default_country text CHECK (default_country ~ '^[A-Z]{2}$'),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  mfa_required boolean NOT NULL DEFAULT false,
  history_days integer NOT NULL DEFAULT 365 CHECK (history_days BETWEEN 1 AND 3650),
  version integer NOT NULL DEFAULT 1,
  created_by uuid,
  updated_by uuid
);
ALTER TABLE trellis.organizations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.organizations FOR SELECT TO trellis_auth USING (true);
CREATE POLICY import ON trellis.organizations FOR INSERT TO trellis_owner
  WITH CHECK (id = nullif(current_setting('trellis.import', true), '')::uuid);
CREATE POLICY organization ON trellis.organizations TO trellis_api USING (id = trellis.current_organization());
CREATE POLICY worker ON trellis.organizations TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT ON trellis.organizations TO trellis_api;
GRANT SELECT, INSERT, UPDATE ON trellis.organizations TO trellis_worker;
GRANT SELECT (id, key, name, status, mfa_required) ON trellis.organizations TO trellis_auth;
GRANT UPDATE (name, status, modules, default_country, updated_at, mfa_required, history_days, version, updated_by)
  ON trellis.organizations TO trellis_api;

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
CREATE INDEX roles_name ON trellis.roles (organization_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX roles_updated_at ON trellis.roles (organization_id, updated_at, id);
ALTER TABLE trellis.roles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.roles FOR SELECT TO trellis_auth USING (true);
CREATE POLICY organization ON trellis.roles TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY search ON trellis.roles FOR SELECT TO trellis_search USING (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.roles TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.roles TO trellis_api;
GRANT SELECT, INSERT ON trellis.roles TO trellis_worker;
GRANT SELECT ON trellis.roles TO trellis_auth;
GRANT SELECT (organization_id, id, grants) ON trellis.roles TO trellis_search;

CREATE TABLE trellis.users (
  id uuid PRIMARY KEY,
  email text,
  email_normalized text CONSTRAINT users_email UNIQUE,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Whether somebody has a second factor, for those who may not read factors. Kept by the statements that change them.
  has_mfa boolean NOT NULL DEFAULT false,
  -- Whether whoever has set the account up has shown that they receive mail of its address, or an operator has made it.
  -- An invitation may be accepted by the link that its sender was shown, which shows nothing of the address.
  address_proven boolean NOT NULL DEFAULT true,
  -- The organization that a service member belongs to, alone; null for a person, who may be a member of several.
  service_of uuid REFERENCES trellis.organizations (id),
  CONSTRAINT users_address CHECK (num_nulls(email, email_normalized) = CASE WHEN service_of IS NULL THEN 0 ELSE 2 END)
);
ALTER TABLE trellis.users ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- The role that signs people in does not see service members.
CREATE POLICY auth ON trellis.users FOR SELECT TO trellis_auth USING (email IS NOT NULL);
CREATE POLICY auth_factors ON trellis.users FOR UPDATE TO trellis_auth USING (true) WITH CHECK (true);
-- Accounts of people, and the service members of the organization.
CREATE POLICY import ON trellis.users FOR INSERT TO trellis_owner
  WITH CHECK (coalesce(service_of, nullif(current_setting('trellis.import', true), '')::uuid)
    = nullif(current_setting('trellis.import', true), '')::uuid);
-- The serving role makes service members and names them. Of people it makes no account and no membership, and changes no name.
CREATE POLICY service_members_made ON trellis.users FOR INSERT TO trellis_api
  WITH CHECK (service_of = trellis.current_organization());
CREATE POLICY service_members_named ON trellis.users FOR UPDATE TO trellis_api
  USING (service_of = trellis.current_organization());
CREATE POLICY worker ON trellis.users TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON trellis.users TO trellis_worker;
GRANT SELECT (id, email, name, status, has_mfa, service_of) ON trellis.users TO trellis_api;
GRANT INSERT (id, name, service_of) ON trellis.users TO trellis_api;
GRANT SELECT (id, email, email_normalized, name, status, address_proven) ON trellis.users TO trellis_auth;
GRANT INSERT (id, email, email_normalized, name, address_proven) ON trellis.users TO trellis_auth;
GRANT UPDATE (name, updated_at) ON trellis.users TO trellis_api;
GRANT UPDATE (status, has_mfa, address_proven) ON trellis.users TO trellis_auth;

CREATE TABLE trellis.memberships (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  user_id uuid NOT NULL REFERENCES trellis.users (id),
  -- The key of a built-in role, or the id of another one.
  role text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  id uuid NOT NULL GENERATED ALWAYS AS (user_id) STORED,
  role_id uuid GENERATED ALWAYS AS (
    CASE WHEN role IN ('OWNER', 'ADMIN', 'EDITOR', 'AUTHOR', 'VIEWER') THEN NULL ELSE role::uuid END) STORED,
  status text NOT NULL DEFAULT 'ACTIVE',
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  -- Of a service member: the person who is responsible for it, and cannot leave before somebody else does. Null for a person.
  responsible_user_id uuid,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, role_id) REFERENCES trellis.roles (organization_id, id),
  CONSTRAINT memberships_responsible FOREIGN KEY (organization_id, responsible_user_id)
    REFERENCES trellis.memberships (organization_id, user_id),
  CONSTRAINT memberships_id UNIQUE (organization_id, id),
  CONSTRAINT memberships_not_responsible_for_itself CHECK (responsible_user_id <> user_id),
  CONSTRAINT memberships_status CHECK (status IN ('ACTIVE', 'DISABLED'))
);
CREATE INDEX memberships_created_at ON trellis.memberships (organization_id, created_at, id);
CREATE INDEX memberships_responsible_user_id ON trellis.memberships (organization_id, responsible_user_id)
  WHERE responsible_user_id IS NOT NULL;
CREATE INDEX memberships_role_id ON trellis.memberships (organization_id, role_id) WHERE role_id IS NOT NULL;
CREATE INDEX memberships_updated_at ON trellis.memberships (organization_id, updated_at, id);
ALTER TABLE trellis.memberships ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.memberships FOR SELECT TO trellis_auth USING (true);
-- A membership is locked while a token is made for it (which takes the right to change a column), and never changed.
CREATE POLICY auth_locks ON trellis.memberships FOR UPDATE TO trellis_auth USING (true) WITH CHECK (false);
CREATE POLICY organization_deletes ON trellis.memberships FOR DELETE TO trellis_api
  USING (organization_id = trellis.current_organization());
-- The serving role makes service members only.
CREATE POLICY organization_inserts_service_members ON trellis.memberships FOR INSERT TO trellis_api
  WITH CHECK (organization_id = trellis.current_organization() AND responsible_user_id IS NOT NULL);
CREATE POLICY organization_reads ON trellis.memberships FOR SELECT TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY organization_updates ON trellis.memberships FOR UPDATE TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY search ON trellis.memberships FOR SELECT TO trellis_search USING (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.memberships TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT, DELETE ON trellis.memberships TO trellis_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.memberships TO trellis_worker;
GRANT SELECT ON trellis.memberships TO trellis_auth;
GRANT SELECT (organization_id, user_id, role, role_id) ON trellis.memberships TO trellis_search;
GRANT INSERT (organization_id, user_id, role, created_at, updated_at, created_by, updated_by) ON trellis.memberships TO trellis_auth;
GRANT INSERT (
    organization_id, user_id, role, created_at, status, version, updated_at, created_by, updated_by, responsible_user_id
  ) ON trellis.memberships TO trellis_api;
GRANT UPDATE (role, status, version, updated_at, updated_by, responsible_user_id) ON trellis.memberships TO trellis_api;
GRANT UPDATE (created_at) ON trellis.memberships TO trellis_auth;

-- Users are shared by organizations: a transaction sees the members of its own.
CREATE POLICY members ON trellis.users FOR SELECT TO trellis_api
  USING (EXISTS (SELECT FROM trellis.memberships m
                 WHERE m.organization_id = trellis.current_organization() AND m.user_id = users.id));

-- Takes the access locks of the organizations in which a person is a member, or in which something acts for them, and of p_organization unless it
-- is null, as packages/server/src/kernel/identity/access-lock.ts does for one. With p_if_unproven, only the last one of a person whose address is proven.
-- Whoever takes several of these locks takes them in this order.
CREATE OR REPLACE FUNCTION trellis.lock_access_of(p_user uuid, p_organization uuid, p_if_unproven boolean) RETURNS void
  LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  v_organizations uuid[];
  v_organization uuid;
BEGIN
  IF NOT (p_if_unproven AND EXISTS (SELECT FROM trellis.users WHERE id = p_user AND address_proven)) THEN
    SELECT array_agg(a.organization_id) INTO v_organizations FROM (
      SELECT m.organization_id FROM trellis.memberships m WHERE m.user_id = p_user
      UNION SELECT s.organization_id FROM trellis.webhook_subscriptions s WHERE s.acts_for = p_user
      UNION SELECT i.organization_id FROM trellis.invitations i WHERE i.sent_by = p_user AND i.status = 'PENDING') a;
  END IF;
  FOR v_organization IN
    SELECT DISTINCT id FROM unnest(v_organizations || p_organization) id WHERE id IS NOT NULL ORDER BY id
  LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('trellis access ' || v_organization::text, 0));
  END LOOP;
END $$;
