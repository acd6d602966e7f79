-- Contacts and companies. Side tables hold values in the form by which they are compared.

CREATE TABLE trellis.companies (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  domains json NOT NULL,
  website_url text,
  industry text,
  employee_count integer,
  annual_revenue json,
  parent_company_id uuid,
  phones json NOT NULL,
  addresses json NOT NULL,
  owner_user_id uuid,
  tags json NOT NULL,
  lifecycle_stage text,
  description text,
  import_id text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT companies_parent FOREIGN KEY (organization_id, parent_company_id)
    REFERENCES trellis.companies (organization_id, id),
  CHECK (parent_company_id <> id)
);
CREATE UNIQUE INDEX companies_external_id ON trellis.companies (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX companies_created_at ON trellis.companies (organization_id, created_at, id);
CREATE INDEX companies_import ON trellis.companies (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX companies_name ON trellis.companies (organization_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX companies_owner ON trellis.companies (organization_id, owner_user_id, created_at, id);
CREATE INDEX companies_parent_company_id ON trellis.companies (organization_id, parent_company_id);
CREATE INDEX companies_updated_at ON trellis.companies (organization_id, updated_at, id);
ALTER TABLE trellis.companies ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.companies TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.companies TO trellis_api;

CREATE TABLE trellis.company_domains (
  organization_id uuid NOT NULL,
  domain text NOT NULL,
  company_id uuid NOT NULL,
  CONSTRAINT company_domains_key PRIMARY KEY (organization_id, domain)
);
ALTER TABLE trellis.company_domains ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.company_domains TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.company_domains TO trellis_api;

CREATE TABLE trellis.company_tags (
  organization_id uuid NOT NULL,
  tag text NOT NULL,
  company_id uuid NOT NULL,
  PRIMARY KEY (organization_id, tag, company_id)
);
ALTER TABLE trellis.company_tags ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.company_tags TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.company_tags TO trellis_api;

CREATE TABLE trellis.contacts (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  first_name text,
  last_name text,
  display_name text NOT NULL,
  job_title text,
  emails json NOT NULL,
  phones json NOT NULL,
  addresses json NOT NULL,
  timezone text,
  locale text,
  companies json NOT NULL,
  lifecycle_stage text,
  lead_status text,
  owner_user_id uuid,
  tags json NOT NULL,
  source text,
  notes text,
  do_not_contact boolean NOT NULL,
  import_id text,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX contacts_external_id ON trellis.contacts (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX contacts_created_at ON trellis.contacts (organization_id, created_at, id);
CREATE INDEX contacts_display_name ON trellis.contacts (organization_id, display_name COLLATE trellis.alphabetical, id);
CREATE INDEX contacts_import ON trellis.contacts (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX contacts_lead_status ON trellis.contacts (organization_id, lead_status, created_at, id);
CREATE INDEX contacts_lifecycle_stage ON trellis.contacts (organization_id, lifecycle_stage, created_at, id);
CREATE INDEX contacts_owner ON trellis.contacts (organization_id, owner_user_id, created_at, id);
CREATE INDEX contacts_updated_at ON trellis.contacts (organization_id, updated_at, id);
ALTER TABLE trellis.contacts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.contacts TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.contacts TO trellis_api;

CREATE TABLE trellis.contact_emails (
  organization_id uuid NOT NULL,
  email text NOT NULL,
  contact_id uuid NOT NULL,
  CONSTRAINT contact_emails_key PRIMARY KEY (organization_id, email)
);
ALTER TABLE trellis.contact_emails ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.contact_emails TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.contact_emails TO trellis_api;

CREATE TABLE trellis.contact_phones (
  organization_id uuid NOT NULL,
  e164 text NOT NULL,
  contact_id uuid NOT NULL,
  PRIMARY KEY (organization_id, e164, contact_id)
);
ALTER TABLE trellis.contact_phones ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.contact_phones TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.contact_phones TO trellis_api;

CREATE TABLE trellis.contact_tags (
  organization_id uuid NOT NULL,
  tag text NOT NULL,
  contact_id uuid NOT NULL,
  PRIMARY KEY (organization_id, tag, contact_id)
);
ALTER TABLE trellis.contact_tags ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.contact_tags TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.contact_tags TO trellis_api;

CREATE TABLE trellis.contact_companies (
  organization_id uuid NOT NULL,
  company_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  PRIMARY KEY (organization_id, company_id, contact_id),
  CONSTRAINT contact_companies_company FOREIGN KEY (organization_id, company_id)
    REFERENCES trellis.companies (organization_id, id)
);
ALTER TABLE trellis.contact_companies ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.contact_companies TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.contact_companies TO trellis_api;
