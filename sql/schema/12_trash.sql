-- The trash: deleted records until their time is over. See docs/decisions/0089-the-trash.md.

CREATE TABLE trellis.trash (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  -- Name of the resource, such as `books`.
  resource text NOT NULL,
  id uuid NOT NULL,
  parent_id uuid,
  title text NOT NULL,
  -- Whose record it was: some roles delete and restore only their own.
  created_by uuid,
  deleted_by uuid,
  deleted_at timestamptz(3) NOT NULL,
  purge_at timestamptz(3) NOT NULL,
  -- Who could see the record when it was deleted; NULL is every member. See trellis.may_read.
  readers text[],
  -- Of the content of a file, which is kept as long as this row.
  sha256 text,
  -- The row of the record, as JSON.
  payload text NOT NULL,
  PRIMARY KEY (organization_id, resource, id)
);
CREATE INDEX trash_created_by ON trellis.trash (organization_id, resource, created_by, deleted_at, id);
CREATE INDEX trash_deleted_at ON trellis.trash (organization_id, resource, deleted_at, id);
CREATE INDEX trash_purge_at ON trellis.trash (purge_at);
CREATE INDEX trash_sha256 ON trellis.trash (organization_id, sha256) WHERE sha256 IS NOT NULL;
ALTER TABLE trellis.trash ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Within the organization, only what the user may read; see knowledge_files.
CREATE POLICY organization ON trellis.trash TO trellis_api
  USING (organization_id = trellis.current_organization()
    AND (trellis.may_read(readers, (SELECT trellis.current_readers())) OR (SELECT trellis.sees_all_files())))
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.trash FOR SELECT TO trellis_worker USING (true);
-- The background role finds what is due; the serving role purges it, through the pipeline.
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.trash TO trellis_api;
GRANT SELECT (organization_id, resource, id, parent_id, purge_at) ON trellis.trash TO trellis_worker;

-- The versions of a deleted record, one row each, so that no row is larger than one version.
CREATE TABLE trellis.trash_versions (
  organization_id uuid NOT NULL,
  resource text NOT NULL,
  record_id uuid NOT NULL,
  number integer NOT NULL,
  payload text NOT NULL,
  PRIMARY KEY (organization_id, resource, record_id, number)
);
ALTER TABLE trellis.trash_versions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Whoever sees the record also sees its parts.
CREATE POLICY organization ON trellis.trash_versions TO trellis_api
  USING (organization_id = trellis.current_organization()
    AND EXISTS (SELECT FROM trellis.trash t
                WHERE t.organization_id = trash_versions.organization_id AND t.resource = trash_versions.resource
                  AND t.id = trash_versions.record_id))
  WITH CHECK (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.trash_versions TO trellis_api;
