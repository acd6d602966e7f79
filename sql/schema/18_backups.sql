-- The owner reads all rows in a session that makes or verifies a backup, and none otherwise: row-level security applies to it as
-- well. See docs/decisions/0103-backups.md. Partitions are read and written through their table. Tables that have the policy already, because
-- their statements also stand in a migration, are left out.
DO $$
DECLARE
  v_table text;
BEGIN
  FOR v_table IN
    SELECT relname FROM pg_class
    WHERE relnamespace = 'trellis'::regnamespace AND relkind IN ('r', 'p') AND relforcerowsecurity AND NOT relispartition
      AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = pg_class.oid AND p.polname = 'backup')
    ORDER BY 1
  LOOP
    EXECUTE format('CREATE POLICY backup ON trellis.%I FOR SELECT TO trellis_owner
      USING (current_setting(''trellis.backup'', true) = ''on'')', v_table);
  END LOOP;
END $$;

-- The owner writes the rows of one organization in a transaction that imports it, and none otherwise. The policies of organizations and
-- users, which have no organization_id, are beside these tables. See docs/decisions/0103-backups.md.
DO $$
DECLARE
  v_table text;
BEGIN
  FOR v_table IN
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
    WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND c.relforcerowsecurity AND NOT c.relispartition
      AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'import')
    ORDER BY 1
  LOOP
    EXECUTE format('CREATE POLICY import ON trellis.%I FOR INSERT TO trellis_owner
      WITH CHECK (organization_id = nullif(current_setting(''trellis.import'', true), '''')::uuid)', v_table);
  END LOOP;
END $$;
