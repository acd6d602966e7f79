-- Who may read a row is asked in one place: trellis.may_read (sql/functions/may_read.sql), which all policies call. They mean
-- the same as before.

CREATE FUNCTION trellis.may_read(p_readers text[], p_reader text[]) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN p_readers IS NULL OR p_readers && p_reader;

ALTER POLICY readers ON trellis.knowledge_files
  USING (trellis.may_read(readers, (SELECT trellis.current_readers())) OR (SELECT trellis.sees_all_files()));
ALTER POLICY readers ON trellis.search_records
  USING (trellis.may_read(readers, (SELECT trellis.current_readers())) OR (SELECT trellis.sees_all_files()));
ALTER POLICY readers ON trellis.events
  USING (trellis.may_read(readers, (SELECT trellis.current_readers())));
ALTER POLICY readers ON trellis.webhook_deliveries
  USING (trellis.may_read(readers, (SELECT trellis.current_readers())));

-- Administration leaves an event of each change, in the transaction of the change.
GRANT INSERT ON trellis.outbox TO trellis_worker;
