/** Rules on the policies of row-level security: what they permit. See docs/decisions/0102-one-policy-for-each-command.md. */
import type { IsolationRule } from './isolation-rules.ts';

/** Whether the expression of a policy is that a row is of the transaction's organization, or that AND something else. */
function isWithinOrganization(expression: string): string {
  const own = '(organization_id = trellis.current_organization())';
  return `coalesce(${expression} = '${own}' OR starts_with(${expression}, '(${own} AND '), false)`;
}

/** The organization that is being imported, as the catalogue shows it. */
const imported = `(NULLIF(current_setting(''trellis.import''::text, true), ''''::text))::uuid`;

export const policyRules: readonly IsolationRule[] = [
  {
    rule: "every policy of the serving role names the transaction's own organization, for reading and for writing",
    finds: `SELECT tablename || ' ' || policyname FROM pg_policies
      WHERE schemaname = 'trellis' AND NOT roles <@ '{trellis_worker,trellis_search,trellis_auth,trellis_owner}'
        AND NOT (tablename = 'organizations' AND qual = '(id = trellis.current_organization())' AND with_check IS NULL)
        AND NOT (tablename = 'users' AND policyname = 'members' AND cmd = 'SELECT'
          AND qual LIKE '%(m.organization_id = trellis.current_organization())%')
        -- Service members: users who belong to one organization.
        AND NOT (tablename = 'users' AND cmd IN ('INSERT', 'UPDATE')
          AND coalesce(qual, with_check) = '(service_of = trellis.current_organization())'
          AND coalesce(with_check, qual) = '(service_of = trellis.current_organization())')
        AND NOT (tablename = 'tokens' AND policyname = 'presented' AND cmd = 'SELECT' AND qual LIKE '(secret_hash = %')
        AND NOT (tablename = 'publishable_keys' AND policyname = 'presented' AND cmd = 'SELECT' AND qual LIKE '(key = %')
        AND NOT (tablename = 'publishable_key_origins' AND policyname = 'presented' AND cmd = 'SELECT'
          AND qual LIKE '(origin = %')
        AND NOT (${isWithinOrganization('coalesce(qual, with_check)')} AND ${isWithinOrganization('coalesce(with_check, qual)')})`,
    breaks: [
      'CREATE POLICY bad ON trellis.good FOR SELECT TO trellis_api USING (true)',
      'CREATE POLICY bad ON trellis.good FOR SELECT USING (true)',
      'ALTER POLICY organization ON trellis.good WITH CHECK (true)',
      'ALTER POLICY organization ON trellis.good USING (organization_id = trellis.current_organization() OR name IS NULL)',
      'ALTER POLICY organization ON trellis.knowledge_files USING (trellis.may_read(readers, NULL))',
      'ALTER POLICY organization ON trellis.knowledge_files WITH CHECK (true)',
      'CREATE POLICY bad ON trellis.good FOR INSERT TO trellis_api WITH CHECK (name IS NOT NULL)',
      'ALTER POLICY service_members_made ON trellis.users WITH CHECK (true)',
      'ALTER POLICY service_members_named ON trellis.users WITH CHECK (true)',
    ],
  },
  {
    rule: 'the owner reads all rows of every table in a session for backups, inserts those of an imported organization, and has no other policy',
    finds: `SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p')
        AND NOT c.relispartition AND c.relforcerowsecurity AND NOT EXISTS (
          SELECT FROM pg_policies p WHERE p.schemaname = 'trellis' AND p.tablename = c.relname AND p.cmd = 'SELECT'
            AND p.roles = '{trellis_owner}' AND p.qual = '(current_setting(''trellis.backup''::text, true) = ''on''::text)')
      UNION ALL SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
        WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND NOT EXISTS (
          SELECT FROM pg_policies p WHERE p.schemaname = 'trellis' AND p.tablename = c.relname AND p.policyname = 'import'
            AND p.roles = '{trellis_owner}')
      UNION ALL SELECT tablename || ' ' || policyname FROM pg_policies
        WHERE schemaname = 'trellis' AND 'trellis_owner' = ANY (roles) AND (cmd <> 'SELECT' OR policyname <> 'backup')
          AND NOT (cmd = 'INSERT' AND policyname = 'import' AND roles = '{trellis_owner}' AND with_check = CASE tablename
            WHEN 'organizations' THEN '(id = ${imported})'
            WHEN 'users' THEN '(COALESCE(service_of, ${imported}) = ${imported})'
            ELSE '(organization_id = ${imported})' END)`,
    breaks: [
      'DROP POLICY backup ON trellis.good',
      'ALTER POLICY backup ON trellis.events USING (readers IS NULL)',
      'ALTER POLICY backup ON trellis.good USING (true)',
      'CREATE POLICY more ON trellis.good FOR INSERT TO trellis_owner WITH CHECK (true)',
      'DROP POLICY import ON trellis.good',
      'ALTER POLICY import ON trellis.good WITH CHECK (true)',
      'ALTER POLICY import ON trellis.users WITH CHECK (true)',
      'ALTER POLICY import ON trellis.good TO trellis_api',
    ],
  },
  {
    rule: 'one policy says what a role may do with a command; another one only permits what is presented, or belongs to the role that signs people in',
    // Policies are combined with OR: a second one permits what the first one does not. The rule of what people sign in with has
    // the policies of trellis_auth.
    finds: `SELECT a.polrelid::regclass || ' ' || a.polname || ' ' || b.polname FROM pg_policy a
      JOIN pg_policy b ON b.polrelid = a.polrelid AND b.polname > a.polname
        AND (a.polroles && b.polroles OR 0 = ANY (a.polroles || b.polroles))
        AND (a.polcmd = b.polcmd OR '*' IN (a.polcmd, b.polcmd))
      WHERE NOT (b.polname = 'presented' AND b.polcmd = 'r' AND a.polname LIKE 'organization%')
        AND a.polroles || b.polroles <> ARRAY['trellis_auth'::regrole::oid, 'trellis_auth'::regrole::oid]`,
    breaks: [
      'CREATE POLICY bad ON trellis.good AS RESTRICTIVE TO trellis_api USING (name IS NOT NULL)',
      'CREATE POLICY bad ON trellis.good FOR DELETE TO trellis_api USING (organization_id = trellis.current_organization())',
      'CREATE POLICY bad ON trellis.good TO PUBLIC USING (organization_id = trellis.current_organization())',
      'CREATE POLICY more ON trellis.knowledge_files FOR SELECT TO trellis_api USING (organization_id = trellis.current_organization())',
      'CREATE POLICY bad ON trellis.idempotency_keys FOR UPDATE TO trellis_worker USING (true)',
    ],
  },
];
