-- Making and dropping partitions needs the owner's rights, which no running process has. This function has them and can do
-- nothing else: no name and no date comes from the caller. It waits 100 ms for a lock at most, because every reader and the
-- relay would queue behind it.
--
-- Drops the oldest partition if all of it was logged more than so many days ago, and returns its name or NULL. One at
-- a time, so that the locks are short. The last week is safe from whoever calls.
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
