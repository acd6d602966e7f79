-- Drops the oldest partition of the event log if all of it was logged more than a number of days ago. Returns its name or NULL.
-- SECURITY DEFINER, because dropping a partition needs the owner's rights, which no running process has. The caller passes no
-- name and no date, and the last week is never dropped. It waits at most 100 ms for a lock, because every reader and the relay
-- would queue behind it. One partition per call keeps the locks short.
CREATE OR REPLACE FUNCTION trellis.drop_event_partition(p_retention_days integer) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = trellis, pg_temp
  SET lock_timeout = '100ms'
  SET timezone = 'UTC'
AS $$
DECLARE
  partition text;
BEGIN
  IF p_retention_days IS NULL OR p_retention_days < 7 THEN
    RAISE EXCEPTION 'events are kept for at least 7 days' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('trellis event partitions'));
  SELECT p.name INTO partition
  FROM (
    SELECT c.relname AS name,
      substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz AS ends
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'trellis.events'::regclass
  ) p
  WHERE p.ends <= clock_timestamp() - make_interval(days => p_retention_days)
  ORDER BY p.ends LIMIT 1;
  IF partition IS NOT NULL THEN
    EXECUTE format('DROP TABLE trellis.%I', partition);
  END IF;
  RETURN partition;
END $$;

REVOKE ALL ON FUNCTION trellis.drop_event_partition FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.drop_event_partition TO trellis_worker;
