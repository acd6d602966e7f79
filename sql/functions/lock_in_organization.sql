-- Takes an advisory lock of an organization until the end of the transaction; p_mode is 'exclusive', 'shared', or 'try', which is exclusive and
-- does not wait. True if the transaction has it then. A distributed database has another one: sql/distributed/functions. PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION trellis.lock_in_organization(p_organization uuid, p_number bigint, p_mode text) RETURNS boolean
  LANGUAGE sql VOLATILE
  RETURN CASE p_mode
    WHEN 'exclusive' THEN pg_advisory_xact_lock(p_number) IS NOT NULL
    WHEN 'shared' THEN pg_advisory_xact_lock_shared(p_number) IS NOT NULL
    WHEN 'try' THEN pg_try_advisory_xact_lock(p_number)
  END;
