-- Events go on from the log to message systems outside. How far is kept by organization and sink, and moved by one process
-- at a time, under a lease, after the sink has acknowledged.

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

-- Row-level security binds the owner too; nobody sees the table without it, since the lock is held until the commit.
ALTER TABLE trellis.leases NO FORCE ROW LEVEL SECURITY;
INSERT INTO trellis.leases (name) VALUES ('events to nats');
ALTER TABLE trellis.leases FORCE ROW LEVEL SECURITY;
