-- Making and dropping partitions needs the owner's rights, which no running process has. This function has them and can do
-- nothing else: no name and no date comes from the caller. It waits 100 ms for a lock at most, because every reader and the
-- relay would queue behind it.
--
-- Makes the partitions of this week and the next four that are missing, and returns their names. Attaching, unlike
-- CREATE … PARTITION OF, does not lock readers and writers of the log out.
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
    -- Nobody is granted a partition, and no policy opens one: rows are reached through the log alone.
    EXECUTE format('ALTER TABLE trellis.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', partition);
    EXECUTE format('ALTER TABLE trellis.events ATTACH PARTITION trellis.%I FOR VALUES FROM (%L) TO (%L)',
      partition, monday, monday + interval '1 week');
    RETURN NEXT partition;
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION trellis.create_event_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.create_event_partitions TO trellis_worker;
