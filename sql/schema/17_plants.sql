-- Plants of the sandbox (interface A): a true int64 as id, unique per organization, listed in creation order.

CREATE TABLE trellis.plants (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id bigint NOT NULL,
  -- A UUIDv7 of the creation: orders plants made within one millisecond.
  creation uuid NOT NULL,
  name text NOT NULL,
  tag text,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX plants_creation ON trellis.plants (organization_id, creation);
ALTER TABLE trellis.plants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.plants TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, DELETE ON trellis.plants TO trellis_api;
