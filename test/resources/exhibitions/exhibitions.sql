-- The table of the resource exhibitions, as it would stand in sql/schema or in a migration.

CREATE TABLE trellis.exhibitions (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  import_id text,
  title text NOT NULL,
  catalogue_number text,
  venue text,
  cover_file_id uuid,
  approved_at timestamptz(3),
  approval_note text,
  status text NOT NULL CHECK (status IN ('PLANNED', 'OPEN', 'CLOSED')),
  PRIMARY KEY (organization_id, site_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites (organization_id, id),
  FOREIGN KEY (organization_id, cover_file_id) REFERENCES trellis.knowledge_files (organization_id, id)
);
CREATE UNIQUE INDEX exhibitions_external_id ON trellis.exhibitions (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX exhibitions_catalogue_number ON trellis.exhibitions (organization_id, site_id, catalogue_number) WHERE catalogue_number IS NOT NULL;
CREATE INDEX exhibitions_created_at ON trellis.exhibitions (organization_id, site_id, created_at, id);
CREATE INDEX exhibitions_updated_at ON trellis.exhibitions (organization_id, site_id, updated_at, id);
CREATE INDEX exhibitions_title ON trellis.exhibitions (organization_id, site_id, title COLLATE trellis.alphabetical, id);
CREATE INDEX exhibitions_status ON trellis.exhibitions (organization_id, site_id, status, created_at, id);
CREATE INDEX exhibitions_cover ON trellis.exhibitions (organization_id, cover_file_id)
  WHERE cover_file_id IS NOT NULL;

ALTER TABLE trellis.exhibitions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.exhibitions TO trellis_api
  USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.exhibitions TO trellis_api;
CREATE POLICY backup ON trellis.exhibitions FOR SELECT TO trellis_owner
  USING (current_setting('trellis.backup', true) = 'on');
CREATE POLICY import ON trellis.exhibitions FOR INSERT TO trellis_owner
  WITH CHECK (organization_id = nullif(current_setting('trellis.import', true), '')::uuid);
