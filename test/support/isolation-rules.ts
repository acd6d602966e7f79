/**
 * Rules that every table has to follow so that organizations are isolated. Each rule is a query for violations, with
 * a change that causes one, to show that the rule can fail.
 */

/** Tables without data of organizations, or with data shared by all; the list may only shrink. */
const sharedTables = ['migrations', 'organizations', 'users', 'leases'];

/** What people sign in with: it is theirs, and not an organization's. Only one role reads it. */
const signInTables = [
  'credential_versions',
  'passwords',
  'totp_secrets',
  'recovery_codes',
  'passkeys',
  'external_identities',
  'sessions',
  'sign_in_links',
  'sign_in_challenges',
  'sign_in_delays',
];

/** Functions with the owner's rights. Only the worker role may call them, and it decides only when they run. */
const ownersFunctions = `('create_event_partitions', 'drop_event_partition', 'insert_pending_keys')`;

/** Tables that say who callers are and what they may do. */
export const identityTables = [
  'organizations',
  'users',
  'memberships',
  'roles',
  'clients',
  'tokens',
  'publishable_keys',
  'publishable_key_origins',
];

export interface IsolationRule {
  readonly rule: string;
  /** A query for violations, one text per row. */
  readonly finds: string;
  /** Statements that break the rule and are rolled back. `trellis.good` is a table that follows all rules. */
  readonly breaks: readonly string[];
}

/** A correct tenant table, which the violations modify. */
export const goodTable = `
  CREATE TABLE trellis.good (
    organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
    id uuid NOT NULL,
    site_id uuid,
    user_id uuid REFERENCES trellis.users (id),
    name text,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, name),
    FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites (organization_id, id) ON DELETE CASCADE
  );
  ALTER TABLE trellis.good OWNER TO trellis_owner;
  ALTER TABLE trellis.good ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY organization ON trellis.good TO trellis_api
    USING (organization_id = trellis.current_organization());
  CREATE POLICY backup ON trellis.good FOR SELECT TO trellis_owner USING (current_setting('trellis.backup', true) = 'on');
  CREATE POLICY import ON trellis.good FOR INSERT TO trellis_owner
    WITH CHECK (organization_id = nullif(current_setting('trellis.import', true), '')::uuid);
  GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.good TO trellis_api;`;

const tables = `
  SELECT c.oid, c.relname AS name, c.relowner, c.relrowsecurity, c.relforcerowsecurity,
    (SELECT a.attnum FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id') AS organization
  FROM pg_class c WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p')`;

const tenantTables = `SELECT * FROM (${tables}) every WHERE organization IS NOT NULL`;

/** The privileges of the serving role on tables and columns. */
const privileges = `
  SELECT t.name, t.oid, command FROM (${tables}) t, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) command
  WHERE has_table_privilege('trellis_api', t.oid, command)
    OR (command <> 'DELETE' AND has_any_column_privilege('trellis_api', t.oid, command))`;

/** Grants of tables and columns to other roles than their owner. */
const grants = `
  SELECT t.name, '' AS column_name, acl.* FROM (${tables}) t, pg_class c, aclexplode(c.relacl) acl
  WHERE c.oid = t.oid AND acl.grantee <> t.relowner
  UNION ALL
  SELECT t.name, a.attname, acl.* FROM (${tables}) t, pg_attribute a, aclexplode(a.attacl) acl
  WHERE a.attrelid = t.oid AND acl.grantee <> t.relowner`;

/** A list of SQL literals. */
function names(tables: readonly string[]): string {
  return tables.map((name) => `'${name}'`).join(', ');
}

/** @param resourceTables tables of the resources, which no role but the serving one may touch. */
export function isolationRules(resourceTables: readonly string[]): IsolationRule[] {
  const isResource = `IN (${resourceTables.map((table) => `'${table}'`).join(', ')})`;
  return [
    {
      rule: 'every table belongs to organizations, or is one of the shared ones',
      finds: `SELECT name FROM (${tables}) t WHERE organization IS NULL
        AND name NOT IN (${names([...sharedTables, ...signInTables])})`,
      breaks: ['CREATE TABLE trellis.bad (id uuid PRIMARY KEY)'],
    },
    {
      rule: 'no record is without an organization',
      finds: `SELECT t.name FROM (${tenantTables}) t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = organization
        WHERE NOT a.attnotnull OR a.atttypid <> 'uuid'::regtype`,
      breaks: ['CREATE TABLE trellis.bad (organization_id uuid, id uuid)'],
    },
    {
      rule: 'row-level security is on, also for the owner',
      finds: `SELECT name FROM (${tables}) t WHERE name <> 'migrations' AND NOT (relrowsecurity AND relforcerowsecurity)`,
      breaks: [
        'ALTER TABLE trellis.good DISABLE ROW LEVEL SECURITY',
        'ALTER TABLE trellis.good NO FORCE ROW LEVEL SECURITY',
      ],
    },
    {
      rule: 'a policy limits every privilege of the serving role',
      finds: `SELECT p.name || ' ' || p.command FROM (${privileges}) p WHERE p.name <> 'migrations' AND NOT EXISTS (
          SELECT FROM pg_policies y WHERE y.schemaname = 'trellis' AND y.tablename = p.name
            AND y.roles = '{trellis_api}' AND y.cmd IN ('ALL', p.command))`,
      breaks: [
        'DROP POLICY organization ON trellis.good',
        `DROP POLICY organization ON trellis.good;
         CREATE POLICY organization ON trellis.good FOR SELECT TO trellis_api
           USING (organization_id = trellis.current_organization())`,
      ],
    },
    {
      rule: 'every primary key begins with the organization',
      finds: `SELECT name FROM (${tenantTables}) t WHERE NOT EXISTS (
          SELECT FROM pg_constraint k WHERE k.conrelid = t.oid AND k.contype = 'p' AND k.conkey[1] = t.organization)`,
      breaks: [
        'ALTER TABLE trellis.good DROP CONSTRAINT good_pkey',
        'ALTER TABLE trellis.good DROP CONSTRAINT good_pkey, ADD PRIMARY KEY (id)',
      ],
    },
    {
      rule: 'every unique key and index begins with the organization',
      finds: `SELECT i.indexrelid::regclass::text FROM (${tenantTables}) t JOIN pg_index i ON i.indrelid = t.oid
        WHERE (i.indisunique OR i.indisexclusion) AND i.indkey[0] <> t.organization`,
      breaks: [
        'CREATE UNIQUE INDEX bad ON trellis.good (name)',
        'ALTER TABLE trellis.good ADD UNIQUE (id, organization_id)',
      ],
    },
    {
      rule: 'every foreign key begins with the organization, or leads to a shared table',
      finds: `SELECT k.conname FROM (${tenantTables}) t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f'
        JOIN (${tables}) target ON target.oid = k.confrelid
        WHERE NOT (target.organization IS NULL AND cardinality(k.conkey) = 1)
          AND (k.conkey[1] <> t.organization OR k.confkey[1] IS DISTINCT FROM target.organization)`,
      breaks: [
        'ALTER TABLE trellis.good ADD FOREIGN KEY (site_id, organization_id) REFERENCES trellis.sites (id, organization_id)',
        `CREATE UNIQUE INDEX bad ON trellis.sites (id);
         ALTER TABLE trellis.good ADD FOREIGN KEY (site_id) REFERENCES trellis.sites (id)`,
      ],
    },
    {
      rule: 'no foreign key changes values by itself, without the pipeline',
      finds: `SELECT conname FROM pg_constraint WHERE connamespace = 'trellis'::regnamespace AND contype = 'f'
        AND (confdeltype IN ('n', 'd') OR confupdtype <> 'a')`,
      breaks: [
        `ALTER TABLE trellis.good ADD FOREIGN KEY (organization_id, site_id)
           REFERENCES trellis.sites (organization_id, id) ON DELETE SET NULL (site_id)`,
        `ALTER TABLE trellis.good ADD FOREIGN KEY (organization_id, site_id)
           REFERENCES trellis.sites (organization_id, id) ON UPDATE CASCADE`,
      ],
    },
    {
      rule: 'there are no triggers and no rules',
      finds: `SELECT t.tgname::text FROM pg_trigger t JOIN (${tables}) c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal
        UNION ALL SELECT r.rulename FROM pg_rewrite r JOIN (${tables}) c ON c.oid = r.ev_class`,
      breaks: [
        `CREATE TRIGGER bad BEFORE UPDATE ON trellis.good FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
        'CREATE RULE bad AS ON DELETE TO trellis.good DO INSTEAD NOTHING',
      ],
    },
    {
      rule: 'no number is generated by a sequence',
      finds: `SELECT relname::text FROM pg_class WHERE relnamespace = 'trellis'::regnamespace AND relkind = 'S'`,
      breaks: [
        'ALTER TABLE trellis.good ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY',
        'ALTER TABLE trellis.good ADD COLUMN number serial',
        'CREATE SEQUENCE trellis.bad',
      ],
    },
    {
      rule: 'no role can bypass row-level security or become another role',
      finds: `SELECT rolname::text FROM pg_roles WHERE rolname IN ('trellis_api', 'trellis_worker', 'trellis_search', 'trellis_auth')
          AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)
        UNION ALL SELECT rolname FROM pg_roles WHERE rolname = 'trellis_search' AND rolcanlogin
        UNION ALL SELECT member::regrole || ' in ' || roleid::regrole FROM pg_auth_members
          WHERE member::regrole::text IN ('trellis_api', 'trellis_worker', 'trellis_search', 'trellis_auth')`,
      breaks: [
        'ALTER ROLE trellis_api BYPASSRLS',
        'ALTER ROLE trellis_search LOGIN',
        'GRANT trellis_owner TO trellis_api',
        'GRANT trellis_search TO trellis_worker',
      ],
    },
    {
      rule: 'everything belongs to the owner role',
      finds: `SELECT relname::text FROM pg_class WHERE relnamespace = 'trellis'::regnamespace
          AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND relowner <> 'trellis_owner'::regrole
        UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'trellis'::regnamespace
          AND proowner NOT IN ('trellis_owner'::regrole, 'trellis_search'::regrole)
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = pg_proc.oid AND d.deptype = 'e')`,
      breaks: ['ALTER TABLE trellis.good OWNER TO trellis_api'],
    },
    {
      rule: 'grants allow only reading and writing rows, to known roles, without grant option',
      finds: `SELECT name || ' ' || column_name || ' ' || grantee::regrole || ' ' || privilege_type FROM (${grants}) g
        WHERE is_grantable OR privilege_type NOT IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
          OR grantee NOT IN ('trellis_api'::regrole, 'trellis_worker'::regrole, 'trellis_search'::regrole,
            'trellis_auth'::regrole)
        UNION ALL SELECT 'schema ' || nspname FROM pg_namespace, aclexplode(nspacl) acl
          WHERE nspname = 'trellis' AND acl.grantee <> nspowner AND (acl.grantee = 0 OR acl.privilege_type <> 'USAGE')`,
      breaks: [
        'GRANT TRUNCATE ON trellis.good TO trellis_api',
        'GRANT SELECT ON trellis.good TO PUBLIC',
        'GRANT SELECT (name) ON trellis.good TO PUBLIC',
        'GRANT SELECT ON trellis.good TO trellis_worker WITH GRANT OPTION',
        'GRANT CREATE ON SCHEMA trellis TO trellis_api',
        'GRANT USAGE ON SCHEMA trellis TO PUBLIC',
      ],
    },
    {
      rule: 'the serving role reads identities, and changes only what the API has: the organization, members, roles, clients, and tokens without their hashes',
      finds: `SELECT name || ' ' || column_name || ' ' || privilege_type FROM (${grants}) g
        WHERE grantee = 'trellis_api'::regrole AND name IN (${names(identityTables)})
          AND name <> 'roles'
          AND NOT (privilege_type = 'SELECT' AND (name <> 'users' OR column_name IN ('id', 'name', 'email', 'status', 'has_mfa', 'service_of')))
          AND NOT (name = 'users' AND (privilege_type, column_name) IN (
            ('INSERT', 'id'), ('INSERT', 'name'), ('INSERT', 'service_of'), ('UPDATE', 'name'), ('UPDATE', 'updated_at')))
          AND NOT (name = 'memberships' AND (privilege_type = 'DELETE' OR privilege_type = 'INSERT' AND column_name <> ''))
          AND NOT (name IN ('clients', 'publishable_keys', 'publishable_key_origins') AND privilege_type IN ('INSERT', 'DELETE'))
          AND NOT (name = 'tokens' AND privilege_type IN ('INSERT', 'DELETE'))
          AND NOT (privilege_type = 'UPDATE' AND (name, column_name) IN (
            ('organizations', 'name'), ('organizations', 'status'), ('organizations', 'modules'),
            ('organizations', 'default_country'), ('organizations', 'mfa_required'), ('organizations', 'history_days'), ('organizations', 'version'),
            ('organizations', 'updated_at'), ('organizations', 'updated_by'), 
            ('tokens', 'last_used_at'), ('tokens', 'revoked_at'), ('tokens', 'deletions'), ('tokens', 'deletions_since'), ('tokens', 'name'), ('tokens', 'expires_at'),
            ('tokens', 'version'), ('tokens', 'updated_at'), ('tokens', 'updated_by'), ('clients', 'name'), ('clients', 'status'),
            ('clients', 'version'), ('clients', 'updated_at'), ('clients', 'updated_by'), ('memberships', 'role'), ('memberships', 'status'),
            ('memberships', 'version'), ('memberships', 'updated_at'), ('memberships', 'updated_by'),
            ('memberships', 'responsible_user_id')))`,
      breaks: [
        'GRANT SELECT ON trellis.users TO trellis_api',
        'GRANT SELECT (email_normalized) ON trellis.users TO trellis_api',
        'GRANT DELETE ON trellis.users TO trellis_api',
        'GRANT INSERT (email) ON trellis.users TO trellis_api',
        'GRANT UPDATE (user_id) ON trellis.tokens TO trellis_api',
        'GRANT UPDATE (user_id) ON trellis.memberships TO trellis_api',
        'GRANT INSERT ON trellis.memberships TO trellis_api',
        'GRANT UPDATE (secret_hash) ON trellis.tokens TO trellis_api',
      ],
    },
    {
      rule: 'what people sign in with is for one role alone, which sees of the rest who they are and where they are members',
      finds: `SELECT name || ' ' || grantee::regrole FROM (${grants}) g
        WHERE (name IN (${names(signInTables)})) <> (grantee = 'trellis_auth'::regrole)
          AND NOT (grantee = 'trellis_auth'::regrole AND (
            name IN ('organizations', 'memberships', 'roles', 'clients') AND privilege_type = 'SELECT'
            OR name = 'users' AND privilege_type = 'SELECT' AND column_name <> ''
            OR name = 'users' AND privilege_type = 'UPDATE' AND column_name IN ('has_mfa', 'address_proven', 'status')
            OR name = 'users' AND privilege_type = 'INSERT' AND column_name <> ''
            OR name = 'memberships' AND privilege_type = 'INSERT' AND column_name <> ''
            OR name = 'invitations' AND (privilege_type = 'SELECT' OR privilege_type = 'UPDATE'
              AND column_name IN ('version', 'updated_at', 'updated_by', 'status', 'user_id'))
            OR name = 'search_marks' AND privilege_type <> 'DELETE'
            OR name = 'memberships' AND privilege_type = 'UPDATE' AND column_name = 'created_at'
            OR name IN ('outbox', 'changes') AND privilege_type = 'INSERT'
            OR name = 'webhook_endpoints' AND (
              privilege_type = 'SELECT' AND column_name IN ('organization_id', 'id', 'version', 'updated_at', 'status', 'disabled_reason')
              OR privilege_type = 'UPDATE'
                AND column_name IN ('version', 'updated_at', 'updated_by', 'status', 'disabled_reason'))
            OR name = 'webhook_subscriptions' AND (
              privilege_type = 'SELECT' AND column_name IN ('organization_id', 'endpoint_id', 'acts_for')
              OR privilege_type = 'UPDATE' AND column_name = 'enabled')
            OR name = 'tokens'))
          AND (name IN (${names(signInTables)}) OR grantee = 'trellis_auth'::regrole)
        UNION ALL SELECT tablename || ' ' || policyname FROM pg_policies
          WHERE schemaname = 'trellis' AND roles = '{trellis_auth}' AND NOT (tablename IN (${names(signInTables)})
            OR cmd = 'SELECT' AND tablename IN ('users', 'organizations', 'memberships', 'roles', 'clients')
            OR tablename = 'users' AND policyname IN ('auth_factors', 'auth_accounts') AND cmd IN ('UPDATE', 'INSERT')
            OR tablename = 'memberships' AND cmd = 'INSERT' AND with_check ~ 'i.status = ''ACCEPTED'''
            OR tablename = 'invitations' AND (cmd = 'SELECT' OR cmd = 'UPDATE' AND with_check = '(status = ''ACCEPTED''::text)')
            OR tablename = 'invitations' AND cmd = 'UPDATE' AND with_check LIKE '((status = ''REVOKED''::text) AND %'
              AND qual LIKE '((status = ''PENDING''::text) AND %((u.id = invitations.sent_by) AND (NOT u.address_proven))%'
            OR tablename = 'webhook_subscriptions'
              AND qual LIKE '%((u.id = webhook_subscriptions.acts_for) AND (NOT u.address_proven))%'
              AND (cmd = 'SELECT' OR cmd = 'UPDATE' AND with_check = '(NOT enabled)')
            OR tablename = 'webhook_endpoints' AND (cmd = 'SELECT' OR cmd = 'UPDATE' AND with_check = '(disabled_reason = ''CLAIMED''::text)')
              AND qual LIKE '%FROM trellis.webhook_subscriptions s%'
              AND qual LIKE '%((s.organization_id = webhook_endpoints.organization_id) AND (s.endpoint_id = webhook_endpoints.id))%'
            OR tablename = 'search_marks' AND qual IN ('(type = ''member''::text)', '(type = ''token''::text)') AND with_check = qual
            OR tablename = 'memberships' AND cmd = 'UPDATE' AND with_check = 'false'
            OR tablename = 'changes' AND cmd = 'INSERT' AND with_check = '((action = ''updated''::text) AND (readers IS NULL))'
            OR tablename = 'outbox' AND cmd = 'INSERT'
              AND with_check = '(subject_type = ANY (ARRAY[''member''::text, ''session''::text, ''invitation''::text, ''token''::text, ''webhook-endpoint''::text]))'
            OR tablename = 'tokens' AND qual = '(session_id IS NOT NULL)' AND with_check = '(session_id IS NOT NULL)'
            OR tablename = 'tokens' AND qual LIKE '%((u.id = tokens.user_id) AND (NOT u.address_proven))%'
              AND (cmd = 'SELECT' OR cmd = 'UPDATE' AND with_check = '(revoked_at IS NOT NULL)'))`,
      breaks: [
        'GRANT SELECT ON trellis.passwords TO trellis_api',
        'GRANT SELECT (secret_hash) ON trellis.sessions TO trellis_worker',
        'GRANT SELECT ON trellis.articles TO trellis_auth',
        'GRANT SELECT ON trellis.users TO trellis_auth',
        'GRANT UPDATE (role) ON trellis.memberships TO trellis_auth',
        'GRANT UPDATE (email) ON trellis.users TO trellis_auth',
        'ALTER POLICY auth ON trellis.tokens USING (true)',
        'ALTER POLICY auth_locks ON trellis.memberships WITH CHECK (true)',
        'ALTER POLICY auth ON trellis.outbox WITH CHECK (true)',
        'ALTER POLICY auth ON trellis.changes WITH CHECK (true)',
        'GRANT SELECT ON trellis.changes TO trellis_auth',
        'GRANT INSERT ON trellis.clients TO trellis_auth',
        'GRANT UPDATE (role_id) ON trellis.invitations TO trellis_auth',
        'ALTER POLICY auth_accepts ON trellis.invitations WITH CHECK (true)',
        'ALTER POLICY auth_invited ON trellis.memberships WITH CHECK (true)',
        'ALTER POLICY auth_members ON trellis.search_marks WITH CHECK (true)',
        'ALTER POLICY auth_tokens ON trellis.search_marks WITH CHECK (true)',
        'ALTER POLICY auth_reads_to_claim ON trellis.tokens USING (true)',
        'ALTER POLICY auth_claims ON trellis.tokens WITH CHECK (true)',
        'GRANT SELECT (secret) ON trellis.webhook_subscriptions TO trellis_auth',
        'GRANT UPDATE (acts_for) ON trellis.webhook_subscriptions TO trellis_auth',
        'GRANT UPDATE (url) ON trellis.webhook_endpoints TO trellis_auth',
        'ALTER POLICY auth_reads_to_claim ON trellis.webhook_subscriptions USING (true)',
        'ALTER POLICY auth_claims ON trellis.webhook_subscriptions WITH CHECK (true)',
        'ALTER POLICY auth_reads_to_claim ON trellis.webhook_endpoints USING (true)',
        'ALTER POLICY auth_claims ON trellis.webhook_endpoints WITH CHECK (true)',
        'ALTER POLICY auth_revokes ON trellis.invitations USING (true)',
      ],
    },
    {
      rule: 'events cannot be changed',
      finds: `SELECT name || ' ' || privilege_type FROM (${grants}) g WHERE grantee = 'trellis_api'::regrole
          AND (name = 'outbox' AND privilege_type <> 'INSERT' OR name = 'idempotency_keys' AND privilege_type = 'UPDATE'
              AND coalesce(column_name, '') <> 'body'
            OR name LIKE 'event%' AND privilege_type <> 'SELECT')
        UNION ALL SELECT name || ' ' || privilege_type FROM (${grants}) g WHERE name ~ '^events($|_)'
          AND privilege_type NOT IN ('SELECT', 'INSERT')`,
      breaks: [
        'GRANT INSERT ON trellis.events TO trellis_api',
        'GRANT UPDATE ON trellis.event_positions TO trellis_api',
        'GRANT UPDATE (type) ON trellis.events TO trellis_worker',
        'GRANT DELETE ON trellis.events TO trellis_worker',
        'GRANT SELECT ON trellis.outbox TO trellis_api',
        'GRANT DELETE ON trellis.outbox TO trellis_api',
        'GRANT UPDATE (status) ON trellis.idempotency_keys TO trellis_api',
        'GRANT UPDATE ON trellis.idempotency_keys TO trellis_api',
      ],
    },
    {
      rule: 'only the serving role reads and writes records',
      finds: `SELECT name || ' ' || grantee::regrole FROM (${grants}) g
        WHERE name ${isResource} AND grantee <> 'trellis_api'::regrole
          -- People and what they may do are also read where somebody signs in, and changed by operators.
          AND name NOT IN (${names(identityTables)})
          -- Who accepts an invitation signs in.
          AND NOT (name = 'invitations' AND grantee = 'trellis_auth'::regrole AND privilege_type IN ('SELECT', 'UPDATE'))
          -- Who claims an account disables the endpoints that act for it; the rule of what people sign in with says which columns.
          AND NOT (name = 'webhook_endpoints' AND grantee = 'trellis_auth'::regrole AND privilege_type IN ('SELECT', 'UPDATE')
            AND column_name <> '')
          -- Text is searched by the role of the search functions.
          AND NOT (name = 'knowledge_pages' AND grantee = 'trellis_search'::regrole AND privilege_type = 'SELECT')`,
      breaks: [
        'GRANT SELECT ON trellis.articles TO trellis_worker',
        'GRANT SELECT (title) ON trellis.article_versions TO trellis_search',
      ],
    },
    {
      rule: 'functions that act as another role are the search functions, for the serving role alone, and those of partitions and pending index keys, for the background role alone; all with a search path of their own',
      finds: `SELECT p.proname::text FROM (SELECT *, proname IN ${ownersFunctions} AS of_owner FROM pg_proc) p
        WHERE p.pronamespace = 'trellis'::regnamespace AND p.prosecdef
        AND (p.proowner <> CASE WHEN of_owner THEN 'trellis_owner' ELSE 'trellis_search' END::regrole
          OR NOT EXISTS (SELECT FROM unnest(p.proconfig) setting WHERE setting LIKE 'search_path=%')
          OR EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) acl
                     WHERE acl.grantee NOT IN (p.proowner,
                       CASE WHEN of_owner THEN 'trellis_worker' ELSE 'trellis_api' END::regrole)))`,
      breaks: [
        'GRANT EXECUTE ON FUNCTION trellis.drop_event_partition TO trellis_api',
        'GRANT EXECUTE ON FUNCTION trellis.create_event_partitions TO PUBLIC',
        'GRANT EXECUTE ON FUNCTION trellis.insert_pending_keys TO trellis_api',
        'ALTER FUNCTION trellis.drop_event_partition RESET search_path',
        'CREATE FUNCTION trellis.bad() RETURNS integer LANGUAGE sql SECURITY DEFINER AS $$ SELECT 1 $$',
        'GRANT EXECUTE ON FUNCTION trellis.find_records TO PUBLIC',
        'ALTER FUNCTION trellis.find_records RESET search_path',
        'ALTER FUNCTION trellis.find_records OWNER TO trellis_owner',
      ],
    },
    {
      rule: 'views run with the rights of the reader',
      finds: `SELECT relname::text FROM pg_class WHERE relnamespace = 'trellis'::regnamespace
        AND (relkind = 'm' OR relkind = 'v' AND NOT coalesce(reloptions @> '{security_invoker=true}', false))`,
      breaks: [
        'CREATE VIEW trellis.bad AS SELECT * FROM trellis.good',
        'CREATE MATERIALIZED VIEW trellis.bad AS SELECT * FROM trellis.good',
      ],
    },
  ];
}
