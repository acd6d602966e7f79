-- Views: lists under a name, private or shared. See docs/decisions/0058-views-columns-and-cells.md.

CREATE TABLE trellis.views (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  name text NOT NULL,
  resource text NOT NULL,
  query text NOT NULL,
  columns json NOT NULL,
  shared boolean NOT NULL,
  owner_user_id uuid NOT NULL,
  -- Every built-in role may read the resources that have views. Other roles may if they have the permission, see current_readers.
  readers text[] NOT NULL GENERATED ALWAYS AS (CASE
    WHEN shared THEN ARRAY[owner_user_id::text, 'OWNER', 'ADMIN', 'EDITOR', 'AUTHOR', 'VIEWER', 'read:' || resource]
    ELSE ARRAY[owner_user_id::text]
  END) STORED,
  private_to uuid GENERATED ALWAYS AS (CASE WHEN NOT shared THEN owner_user_id ELSE NULL END) STORED,
  -- A table, or a gallery of pictures.
  layout text NOT NULL DEFAULT 'TABLE',
  PRIMARY KEY (organization_id, id),
  CONSTRAINT views_name UNIQUE NULLS NOT DISTINCT (organization_id, resource, shared, private_to, name)
);
CREATE INDEX views_created_at ON trellis.views (organization_id, created_at, id);
CREATE INDEX views_owner ON trellis.views (organization_id, owner_user_id, created_at, id);
CREATE INDEX views_resource ON trellis.views (organization_id, resource, created_at, id);
CREATE INDEX views_title ON trellis.views (organization_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX views_updated_at ON trellis.views (organization_id, updated_at, id);
ALTER TABLE trellis.views ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Within the organization, only what the user may read; an administrator may take a shared view out of their own sight.
CREATE POLICY organization ON trellis.views TO trellis_api
  USING (organization_id = trellis.current_organization()
    AND (trellis.may_read(readers, (SELECT trellis.current_readers())) OR (SELECT trellis.sees_all_files())))
  WITH CHECK (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.views TO trellis_api;
