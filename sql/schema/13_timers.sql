-- What happens to records by itself at an instant: articles are published and unpublished, knowledge files expire. A timer is
-- set, moved and removed by the transaction that writes its record, and says all that the background role needs to find what
-- is due without reading records.

CREATE TABLE trellis.timers (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  kind text NOT NULL CHECK (kind IN ('ARTICLE_PUBLISH', 'ARTICLE_UNPUBLISH', 'FILE_EXPIRE')),
  record_id uuid NOT NULL,
  -- The record's parent: the site of an article.
  parent_id uuid,
  due_at timestamptz(3) NOT NULL,
  -- When it may be taken: once it is due, and later while a node is at it or after a failure.
  available_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, kind, record_id)
);
-- Articles and files are taken apart, so that many of the one kind do not hold up the other.
CREATE INDEX timers_articles ON trellis.timers (available_at) WHERE kind <> 'FILE_EXPIRE';
CREATE INDEX timers_files ON trellis.timers (available_at) WHERE kind = 'FILE_EXPIRE';
ALTER TABLE trellis.timers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.timers TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.timers TO trellis_worker USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.timers TO trellis_api;
GRANT SELECT, DELETE ON trellis.timers TO trellis_worker;
GRANT UPDATE (available_at, attempts) ON trellis.timers TO trellis_worker;
