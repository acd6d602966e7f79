-- The owner writes the rows of one organization in a transaction that imports it, and none otherwise: row-level security applies to it
-- as well. See docs/decisions/0115-moving-an-organization.md. Partitions are written through their table.
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
    WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND c.relforcerowsecurity AND NOT c.relispartition
    ORDER BY 1
  LOOP
    EXECUTE format('CREATE POLICY import ON trellis.%I FOR INSERT TO trellis_owner
      WITH CHECK (organization_id = nullif(current_setting(''trellis.import'', true), '''')::uuid)', name);
  END LOOP;
END $$;

CREATE POLICY import ON trellis.organizations FOR INSERT TO trellis_owner
  WITH CHECK (id = nullif(current_setting('trellis.import', true), '')::uuid);
-- Accounts of people, and the service members of the organization.
CREATE POLICY import ON trellis.users FOR INSERT TO trellis_owner
  WITH CHECK (coalesce(service_of, nullif(current_setting('trellis.import', true), '')::uuid)
    = nullif(current_setting('trellis.import', true), '')::uuid);
