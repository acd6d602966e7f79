-- The event log: what the relay makes of the outbox. Each organization's events are numbered 1, 2, 3 … without gaps, in
-- the order in which their transactions' effects became visible; nobody changes or deletes one. Old events go with
-- their week: the log is partitioned by the instant of logging, and a week's partition is dropped as a whole.
--
-- Events go on from the log to message systems outside. How far is kept by organization and sink, and moved by one process
-- at a time, under a lease, after the sink has acknowledged.

-- What only one process at a time may do. Each takeover raises the term; whoever works under a lease locks its row and
-- compares the term in the same transaction, so that a process that slept through its replacement changes nothing.
CREATE TABLE trellis.leases (
  name text PRIMARY KEY,
  term bigint NOT NULL DEFAULT 0,
  -- For people: host and process.
  holder text,
  expires_at timestamptz(3) NOT NULL DEFAULT '-infinity'::timestamptz
);
-- Before row-level security, which binds the owner too.
INSERT INTO trellis.leases (name) VALUES ('relay'), ('events to nats');
ALTER TABLE trellis.leases ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY worker ON trellis.leases TO trellis_worker USING (true);
GRANT SELECT, UPDATE ON trellis.leases TO trellis_worker;

-- The last position that was given, and when, by organization.
CREATE TABLE trellis.event_positions (
  organization_id uuid PRIMARY KEY,
  position bigint NOT NULL CHECK (position >= 1),
  logged_at timestamptz(3) NOT NULL
);
ALTER TABLE trellis.event_positions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.event_positions FOR SELECT TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.event_positions TO trellis_worker USING (true);
GRANT SELECT ON trellis.event_positions TO trellis_api;
GRANT SELECT, INSERT, UPDATE ON trellis.event_positions TO trellis_worker;

CREATE TABLE trellis.events (
  organization_id uuid NOT NULL,
  position bigint NOT NULL,
  -- Never decreases along an organization's positions, so that the oldest partitions hold the lowest ones.
  logged_at timestamptz(3) NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  parent_id uuid,
  subject_version integer NOT NULL,
  actor_user_id uuid,
  actor_client_id uuid,
  request_id text NOT NULL,
  changed_fields text[] NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  -- Who may read the record that the event tells of, as it was then: ids of users and names of roles; NULL: every member.
  readers text[],
  actor_token_id uuid,
  actor_methods text[],
  PRIMARY KEY (organization_id, "position", logged_at)
) PARTITION BY RANGE (logged_at);
CREATE INDEX events_occurred_at ON trellis.events (organization_id, occurred_at);
CREATE INDEX events_subject ON trellis.events (organization_id, subject_id, "position");
ALTER TABLE trellis.events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Who may not see the record does not see what happened to it.
CREATE POLICY organization ON trellis.events FOR SELECT TO trellis_api
  USING (organization_id = trellis.current_organization() AND trellis.may_read(readers, (SELECT trellis.current_readers())));
CREATE POLICY worker ON trellis.events TO trellis_worker USING (true);
GRANT SELECT ON trellis.events TO trellis_api;
GRANT SELECT, INSERT ON trellis.events TO trellis_worker;

-- Making and dropping partitions needs the owner's rights, which no running process has. These two functions have them
-- and can do nothing else: no name and no date comes from the caller.

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

SELECT trellis.create_event_partitions();

CREATE TABLE trellis.event_sink_cursors (
  organization_id uuid NOT NULL,
  sink text NOT NULL,
  -- Of the last event that the sink has; everything before it was sent earlier, or was no longer kept.
  position bigint NOT NULL CHECK (position >= 1),
  forwarded_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, sink)
);
ALTER TABLE trellis.event_sink_cursors ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY worker ON trellis.event_sink_cursors TO trellis_worker USING (true);
GRANT SELECT, INSERT, UPDATE ON trellis.event_sink_cursors TO trellis_worker;
