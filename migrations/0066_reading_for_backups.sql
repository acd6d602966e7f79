-- The owner reads all rows in a session that makes or verifies a backup, and none otherwise: row-level security applies to it as well.
-- See docs/decisions/0103-backups.md. Partitions are read through their table.
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN
    SELECT relname FROM pg_class
    WHERE relnamespace = 'trellis'::regnamespace AND relkind IN ('r', 'p') AND relforcerowsecurity AND NOT relispartition
    ORDER BY 1
  LOOP
    EXECUTE format('CREATE POLICY backup ON trellis.%I FOR SELECT TO trellis_owner
      USING (current_setting(''trellis.backup'', true) = ''on'')', name);
  END LOOP;
END $$;
