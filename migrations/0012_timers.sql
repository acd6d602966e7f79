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
CREATE INDEX timers_available_at ON trellis.timers (available_at);

-- Records of before have timers too. Row-level security binds the owner as well, but for this moment.
ALTER TABLE trellis.articles NO FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.article_versions NO FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.knowledge_files NO FORCE ROW LEVEL SECURITY;
INSERT INTO trellis.timers (organization_id, kind, record_id, parent_id, due_at, available_at)
  SELECT v.organization_id, 'ARTICLE_PUBLISH', v.article_id, v.site_id, v.scheduled_for, v.scheduled_for
  FROM trellis.article_versions v WHERE v.status = 'SCHEDULED' AND v.scheduled_for IS NOT NULL;
INSERT INTO trellis.timers (organization_id, kind, record_id, parent_id, due_at, available_at)
  SELECT v.organization_id, 'ARTICLE_UNPUBLISH', v.article_id, v.site_id, v.unpublish_at, v.unpublish_at
  FROM trellis.article_versions v WHERE v.status = 'PUBLISHED' AND v.unpublish_at IS NOT NULL;
INSERT INTO trellis.timers (organization_id, kind, record_id, due_at, available_at)
  SELECT f.organization_id, 'FILE_EXPIRE', f.id, f.expires_at, f.expires_at
  FROM trellis.knowledge_files f WHERE f.expires_at IS NOT NULL;
ALTER TABLE trellis.articles FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.article_versions FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.knowledge_files FORCE ROW LEVEL SECURITY;

ALTER TABLE trellis.timers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.timers TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.timers TO trellis_worker USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.timers TO trellis_api;
GRANT SELECT, DELETE, UPDATE (available_at, attempts) ON trellis.timers TO trellis_worker;
