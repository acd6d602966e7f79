-- Restricted records by who may find them, newest first, so that somebody who may see few of many does not skip the others one by one.
-- See docs/decisions/0064-restricted-records-by-reader.md.
CREATE TABLE trellis.search_readers (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  edition integer NOT NULL,
  -- One of search_records.readers: the id of a user, or the name of a role.
  reader text NOT NULL,
  parent_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, type, record_id, edition, reader),
  FOREIGN KEY (organization_id, type, record_id, edition)
    REFERENCES trellis.search_records (organization_id, type, record_id, edition) ON DELETE CASCADE
);
CREATE INDEX search_readers_newest ON trellis.search_readers
  (organization_id, parent_id, type, reader, created_at DESC, record_id DESC) INCLUDE (edition);

ALTER TABLE trellis.search_readers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.search_readers TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.search_readers TO trellis_api;
CREATE POLICY search ON trellis.search_readers FOR SELECT TO trellis_search USING (true);
GRANT SELECT ON trellis.search_readers TO trellis_search;

-- What the rows of search_readers say. A node of the previous release changes the readers alone; until the record is written again it is
-- found among those for everyone, of which who may see them is asked one by one.
ALTER TABLE trellis.search_records ADD COLUMN listed_readers text[];

CREATE POLICY filling ON trellis.search_records TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.search_readers TO trellis_owner USING (true);
INSERT INTO trellis.search_readers (organization_id, type, record_id, edition, reader, parent_id, created_at)
  SELECT DISTINCT s.organization_id, s.type, s.record_id, s.edition, reader, s.parent_id, s.created_at
  FROM trellis.search_records s, unnest(s.readers) AS reader;
UPDATE trellis.search_records SET listed_readers = readers WHERE readers IS NOT NULL;
DROP POLICY filling ON trellis.search_records;
DROP POLICY filling ON trellis.search_readers;

CREATE INDEX search_records_newest_open ON trellis.search_records (organization_id, parent_id, type, created_at DESC, record_id DESC)
  WHERE (listed_readers = readers) IS NOT TRUE;
DROP INDEX trellis.search_records_newest;
ALTER INDEX trellis.search_records_newest_open RENAME TO search_records_newest;
