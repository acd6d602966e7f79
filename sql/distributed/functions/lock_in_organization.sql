-- As that of a single server, on the server of the organization: locks of several servers do not exclude each other. In a transaction that holds
-- its shard, that is this server. Elsewhere the shard is held first, so that it does not move while the lock is held. The query has one row, also
-- where the organization has none.
CREATE OR REPLACE FUNCTION trellis.lock_in_organization(p_organization uuid, p_number bigint, p_mode text) RETURNS boolean
  LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  v_taken boolean;
BEGIN
  IF current_setting('trellis.in_shard', true) = 'on' THEN
    RETURN CASE p_mode
      WHEN 'exclusive' THEN pg_advisory_xact_lock(p_number) IS NOT NULL
      WHEN 'shared' THEN pg_advisory_xact_lock_shared(p_number) IS NOT NULL
      WHEN 'try' THEN pg_try_advisory_xact_lock(p_number)
    END;
  END IF;
  PERFORM trellis.hold_shard_of(p_organization);
  SELECT count(*) >= 0 AND CASE p_mode
      WHEN 'exclusive' THEN pg_advisory_xact_lock(p_number) IS NOT NULL
      WHEN 'shared' THEN pg_advisory_xact_lock_shared(p_number) IS NOT NULL
      WHEN 'try' THEN pg_try_advisory_xact_lock(p_number)
    END INTO v_taken FROM trellis.roles WHERE organization_id = p_organization;
  RETURN v_taken;
END $$;
