-- Creates the missing partitions of the event log for this week and the next four, and returns their names.
-- SECURITY DEFINER, because creating a partition needs the owner's rights, which no running process has. The caller passes no
-- name and no date. It waits at most 100 ms for a lock, because every reader and the relay would queue behind it.
--
-- ATTACH PARTITION, unlike CREATE … PARTITION OF, does not block readers and writers of the log.
CREATE OR REPLACE FUNCTION trellis.create_event_partitions() RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = trellis, pg_temp
  SET lock_timeout = '100ms'
  SET timezone = 'UTC'
AS $$
DECLARE
  monday timestamptz;
  partition text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('trellis event partitions'));
  FOR monday IN
    SELECT date_trunc('week', clock_timestamp()) + number * interval '1 week' FROM generate_series(0, 4) number
  LOOP
    partition := 'events_' || to_char(monday, 'YYYY_MM_DD');
    CONTINUE WHEN to_regclass(format('trellis.%I', partition)) IS NOT NULL;
    EXECUTE format('CREATE TABLE trellis.%I (LIKE trellis.events INCLUDING CONSTRAINTS)', partition);
    -- Partitions have no grants and no policies: rows are reached through the parent table only.
    EXECUTE format('ALTER TABLE trellis.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', partition);
    EXECUTE format('ALTER TABLE trellis.events ATTACH PARTITION trellis.%I FOR VALUES FROM (%L) TO (%L)',
      partition, monday, monday + interval '1 week');
    RETURN NEXT partition;
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION trellis.create_event_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.create_event_partitions TO trellis_worker;
