CREATE COLLATION trellis.alphabetical (i, t, und-u-kn-true);
CREATE TABLE trellis.article_categories (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  category_id uuid NOT NULL,
  CONSTRAINT article_categories_pkey PRIMARY KEY (organization_id, site_id, category_id, article_id),
  CONSTRAINT article_categories_category FOREIGN KEY (organization_id, site_id, category_id) REFERENCES trellis.categories(organization_id, site_id, id)
);
ALTER TABLE trellis.article_categories ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.article_categories FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.article_categories FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.article_categories FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.article_categories TO trellis_api;

CREATE TABLE trellis.article_files (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  number integer NOT NULL,
  file text NOT NULL,
  CONSTRAINT article_files_pkey PRIMARY KEY (organization_id, file, site_id, article_id, number)
);
ALTER TABLE trellis.article_files ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX article_files_version ON trellis.article_files USING btree (organization_id, site_id, article_id, number);
CREATE POLICY backup ON trellis.article_files FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.article_files FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.article_files FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT ON trellis.article_files TO trellis_api;

CREATE TABLE trellis.article_tags (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  CONSTRAINT article_tags_pkey PRIMARY KEY (organization_id, site_id, tag_id, article_id),
  CONSTRAINT article_tags_tag FOREIGN KEY (organization_id, site_id, tag_id) REFERENCES trellis.tags(organization_id, site_id, id)
);
ALTER TABLE trellis.article_tags ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.article_tags FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.article_tags FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.article_tags FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.article_tags TO trellis_api;

CREATE TABLE trellis.article_versions (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  number integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  title text NOT NULL,
  subtitle text,
  summary text,
  body text,
  body_format text NOT NULL,
  locale text NOT NULL,
  cover_file_id uuid,
  seo json,
  change_note text,
  scheduled_for timestamp(3) with time zone,
  unpublish_at timestamp(3) with time zone,
  status text NOT NULL,
  published_at timestamp(3) with time zone,
  word_count integer NOT NULL,
  seen_at timestamp(3) with time zone,
  submitted_at timestamp(3) with time zone,
  submitted_by uuid,
  returned_at timestamp(3) with time zone,
  returned_by uuid,
  return_note text,
  CONSTRAINT article_versions_pkey PRIMARY KEY (organization_id, site_id, article_id, number),
  CONSTRAINT article_versions_cover FOREIGN KEY (organization_id, cover_file_id) REFERENCES trellis.knowledge_files(organization_id, id),
  CONSTRAINT article_versions_check CHECK (((status <> 'SCHEDULED'::text) OR (scheduled_for IS NOT NULL))),
  CONSTRAINT article_versions_number_check CHECK ((number >= 1)),
  CONSTRAINT article_versions_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'IN_REVIEW'::text, 'APPROVED'::text, 'SCHEDULED'::text, 'PUBLISHED'::text, 'UNPUBLISHED'::text, 'SUPERSEDED'::text, 'ARCHIVED'::text])))
);
ALTER TABLE trellis.article_versions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX article_versions_cover ON trellis.article_versions USING btree (organization_id, cover_file_id) WHERE (cover_file_id IS NOT NULL);
CREATE UNIQUE INDEX article_versions_published ON trellis.article_versions USING btree (organization_id, site_id, article_id) WHERE (status = 'PUBLISHED'::text);
CREATE INDEX article_versions_published_at ON trellis.article_versions USING btree (organization_id, published_at DESC, article_id) WHERE (status = 'PUBLISHED'::text);
CREATE INDEX article_versions_published_seen ON trellis.article_versions USING btree (organization_id, site_id, COALESCE(seen_at, updated_at), article_id) WHERE (status = 'PUBLISHED'::text);
CREATE INDEX article_versions_published_title ON trellis.article_versions USING btree (organization_id, site_id, title COLLATE trellis.alphabetical, article_id) WHERE (status = 'PUBLISHED'::text);
CREATE INDEX article_versions_scheduled ON trellis.article_versions USING btree (organization_id, scheduled_for, article_id) WHERE (status = 'SCHEDULED'::text);
CREATE POLICY backup ON trellis.article_versions FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.article_versions FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.article_versions FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.article_versions TO trellis_api;

CREATE TABLE trellis.articles (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  allow_comments boolean NOT NULL,
  category_ids uuid[] NOT NULL,
  primary_category_id uuid,
  tag_ids uuid[] NOT NULL,
  authors json NOT NULL,
  slug text NOT NULL,
  featured boolean NOT NULL,
  canonical_url text,
  state text NOT NULL,
  working_version integer NOT NULL,
  published_version integer,
  schedule_error text,
  title text NOT NULL,
  status text NOT NULL,
  locale text NOT NULL,
  first_published_at timestamp(3) with time zone,
  import_id text,
  CONSTRAINT articles_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT articles_organization_id_site_id_fkey FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites(organization_id, id),
  CONSTRAINT articles_check CHECK (((primary_category_id IS NULL) OR (primary_category_id = ANY (category_ids)))),
  CONSTRAINT articles_state_check CHECK ((state = ANY (ARRAY['UNPUBLISHED'::text, 'PUBLISHED'::text, 'CHANGED'::text, 'ARCHIVED'::text])))
);
ALTER TABLE trellis.articles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX articles_created_at ON trellis.articles USING btree (organization_id, site_id, created_at, id);
CREATE UNIQUE INDEX articles_external_id ON trellis.articles USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX articles_first_published_at ON trellis.articles USING btree (organization_id, site_id, COALESCE(first_published_at, '-infinity'::timestamp with time zone), id);
CREATE INDEX articles_import ON trellis.articles USING btree (organization_id, site_id, import_id, created_at, id) WHERE (import_id IS NOT NULL);
CREATE INDEX articles_schedule_failed ON trellis.articles USING btree (organization_id, updated_at, id) WHERE (schedule_error IS NOT NULL);
CREATE UNIQUE INDEX articles_slug ON trellis.articles USING btree (organization_id, site_id, slug);
CREATE INDEX articles_status ON trellis.articles USING btree (organization_id, site_id, status, created_at, id);
CREATE INDEX articles_title ON trellis.articles USING btree (organization_id, site_id, title COLLATE trellis.alphabetical, id);
CREATE INDEX articles_updated_at ON trellis.articles USING btree (organization_id, site_id, updated_at, id);
CREATE INDEX articles_waiting ON trellis.articles USING btree (organization_id, status, updated_at, id) WHERE (status = ANY (ARRAY['DRAFT'::text, 'IN_REVIEW'::text]));
CREATE POLICY backup ON trellis.articles FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.articles FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.articles FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.articles TO trellis_api;

CREATE TABLE trellis.book_files (
  organization_id uuid NOT NULL,
  file_id uuid NOT NULL,
  book_id uuid NOT NULL,
  CONSTRAINT book_files_pkey PRIMARY KEY (organization_id, file_id, book_id),
  CONSTRAINT book_files_file FOREIGN KEY (organization_id, file_id) REFERENCES trellis.knowledge_files(organization_id, id)
);
ALTER TABLE trellis.book_files ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.book_files FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.book_files FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.book_files FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.book_files TO trellis_api;

CREATE TABLE trellis.books (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  title text NOT NULL,
  subtitle text,
  description text,
  language text,
  contributors json NOT NULL,
  isbn13 text,
  isbn10 text,
  doi text,
  edition text,
  series_title text,
  series_position text,
  format text,
  page_count integer,
  publisher text,
  imprint text,
  publication_date text,
  subjects json NOT NULL,
  prices json NOT NULL,
  cover_file_id uuid,
  file_ids uuid[] NOT NULL,
  status text NOT NULL,
  trade_status text,
  import_id text,
  CONSTRAINT books_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT books_cover FOREIGN KEY (organization_id, cover_file_id) REFERENCES trellis.knowledge_files(organization_id, id),
  CONSTRAINT books_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT books_check CHECK (((trade_status <> 'FORTHCOMING'::text) OR (publication_date IS NOT NULL))),
  CONSTRAINT books_format_check CHECK ((format = ANY (ARRAY['HARDCOVER'::text, 'PAPERBACK'::text, 'EBOOK'::text, 'AUDIOBOOK'::text]))),
  CONSTRAINT books_isbn10_check CHECK ((isbn10 ~ '^[0-9]{9}[0-9X]$'::text)),
  CONSTRAINT books_isbn13_check CHECK ((isbn13 ~ '^97[89][0-9]{10}$'::text)),
  CONSTRAINT books_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'PUBLISHED'::text, 'UNPUBLISHED'::text, 'ARCHIVED'::text]))),
  CONSTRAINT books_trade_status_check CHECK ((trade_status = ANY (ARRAY['FORTHCOMING'::text, 'POSTPONED'::text, 'ACTIVE'::text, 'OUT_OF_STOCK'::text, 'OUT_OF_PRINT'::text, 'WITHDRAWN'::text, 'CANCELLED'::text])))
);
ALTER TABLE trellis.books ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX books_cover ON trellis.books USING btree (organization_id, cover_file_id) WHERE (cover_file_id IS NOT NULL);
CREATE INDEX books_created_at ON trellis.books USING btree (organization_id, created_at, id);
CREATE UNIQUE INDEX books_external_id ON trellis.books USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX books_import ON trellis.books USING btree (organization_id, import_id, created_at, id) WHERE (import_id IS NOT NULL);
CREATE UNIQUE INDEX books_isbn13 ON trellis.books USING btree (organization_id, isbn13) WHERE (isbn13 IS NOT NULL);
CREATE INDEX books_status ON trellis.books USING btree (organization_id, status, created_at, id);
CREATE INDEX books_title ON trellis.books USING btree (organization_id, title COLLATE trellis.alphabetical, id);
CREATE INDEX books_updated_at ON trellis.books USING btree (organization_id, updated_at, id);
CREATE POLICY backup ON trellis.books FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.books FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.books FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.books TO trellis_api;

CREATE TABLE trellis.categories (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  slug text NOT NULL,
  description text,
  parent_id uuid,
  position integer NOT NULL,
  import_id text,
  CONSTRAINT categories_pkey PRIMARY KEY (organization_id, site_id, id),
  CONSTRAINT categories_organization_id_site_id_fkey FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites(organization_id, id),
  CONSTRAINT categories_parent FOREIGN KEY (organization_id, site_id, parent_id) REFERENCES trellis.categories(organization_id, site_id, id),
  CONSTRAINT categories_check CHECK ((parent_id <> id))
);
ALTER TABLE trellis.categories ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX categories_created_at ON trellis.categories USING btree (organization_id, site_id, created_at, id);
CREATE UNIQUE INDEX categories_external_id ON trellis.categories USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX categories_import ON trellis.categories USING btree (organization_id, site_id, import_id, created_at, id) WHERE (import_id IS NOT NULL);
CREATE INDEX categories_name ON trellis.categories USING btree (organization_id, site_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX categories_parent_id ON trellis.categories USING btree (organization_id, site_id, parent_id);
CREATE UNIQUE INDEX categories_slug ON trellis.categories USING btree (organization_id, site_id, slug);
CREATE INDEX categories_updated_at ON trellis.categories USING btree (organization_id, site_id, updated_at, id);
CREATE POLICY backup ON trellis.categories FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.categories FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.categories FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.categories TO trellis_api;

CREATE TABLE trellis.changes (
  organization_id uuid NOT NULL,
  record_id uuid NOT NULL,
  version integer NOT NULL,
  changed_at timestamp(3) with time zone NOT NULL,
  changed_by uuid,
  client_id uuid,
  action text NOT NULL,
  readers_before text[],
  readers text[],
  fields text NOT NULL,
  CONSTRAINT changes_pkey PRIMARY KEY (organization_id, record_id, version),
  CONSTRAINT changes_action_check CHECK ((action = ANY (ARRAY['updated'::text, 'deleted'::text, 'restored'::text]))),
  CONSTRAINT changes_version_check CHECK ((version > 1))
);
ALTER TABLE trellis.changes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.changes FOR INSERT TO trellis_auth WITH CHECK (((action = 'updated'::text) AND (readers IS NULL)));
CREATE POLICY backup ON trellis.changes FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.changes FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization_deletes ON trellis.changes FOR DELETE TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY organization_inserts ON trellis.changes FOR INSERT TO trellis_api WITH CHECK ((organization_id = trellis.current_organization()));
CREATE POLICY organization_reads ON trellis.changes FOR SELECT TO trellis_api USING (((organization_id = trellis.current_organization()) AND ((trellis.may_read(readers_before, ( SELECT trellis.current_readers() AS current_readers)) AND trellis.may_read(readers, ( SELECT trellis.current_readers() AS current_readers))) OR ( SELECT trellis.sees_all_files() AS sees_all_files))));
CREATE POLICY worker ON trellis.changes FOR ALL TO trellis_worker USING (true);
GRANT DELETE, INSERT, SELECT ON trellis.changes TO trellis_api;
GRANT INSERT ON trellis.changes TO trellis_auth;
GRANT DELETE, INSERT, SELECT ON trellis.changes TO trellis_worker;

CREATE TABLE trellis.clients (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL DEFAULT 'ACTIVE'::text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  CONSTRAINT clients_name UNIQUE (organization_id, name),
  CONSTRAINT clients_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT clients_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT clients_kind_check CHECK ((kind = ANY (ARRAY['SERVER'::text, 'CONSOLE'::text, 'CLI'::text, 'BROWSER'::text]))),
  CONSTRAINT clients_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  CONSTRAINT clients_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text])))
);
ALTER TABLE trellis.clients ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX clients_created_at ON trellis.clients USING btree (organization_id, created_at, id);
CREATE INDEX clients_updated_at ON trellis.clients USING btree (organization_id, updated_at, id);
CREATE POLICY auth ON trellis.clients FOR SELECT TO trellis_auth USING (true);
CREATE POLICY backup ON trellis.clients FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.clients FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.clients FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.clients FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON trellis.clients TO trellis_api;
GRANT SELECT ON trellis.clients TO trellis_auth;
GRANT INSERT, SELECT, UPDATE ON trellis.clients TO trellis_worker;
GRANT UPDATE (name, status, version, updated_at, updated_by) ON trellis.clients TO trellis_api;

CREATE TABLE trellis.companies (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
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
  CONSTRAINT companies_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT companies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT companies_parent FOREIGN KEY (organization_id, parent_company_id) REFERENCES trellis.companies(organization_id, id),
  CONSTRAINT companies_check CHECK ((parent_company_id <> id))
);
ALTER TABLE trellis.companies ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX companies_created_at ON trellis.companies USING btree (organization_id, created_at, id);
CREATE UNIQUE INDEX companies_external_id ON trellis.companies USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX companies_import ON trellis.companies USING btree (organization_id, import_id, created_at, id) WHERE (import_id IS NOT NULL);
CREATE INDEX companies_name ON trellis.companies USING btree (organization_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX companies_owner ON trellis.companies USING btree (organization_id, owner_user_id, created_at, id);
CREATE INDEX companies_parent_company_id ON trellis.companies USING btree (organization_id, parent_company_id);
CREATE INDEX companies_updated_at ON trellis.companies USING btree (organization_id, updated_at, id);
CREATE POLICY backup ON trellis.companies FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.companies FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.companies FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.companies TO trellis_api;

CREATE TABLE trellis.company_domains (
  organization_id uuid NOT NULL,
  domain text NOT NULL,
  company_id uuid NOT NULL,
  CONSTRAINT company_domains_key PRIMARY KEY (organization_id, domain)
);
ALTER TABLE trellis.company_domains ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.company_domains FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.company_domains FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.company_domains FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.company_domains TO trellis_api;

CREATE TABLE trellis.company_tags (
  organization_id uuid NOT NULL,
  tag text NOT NULL,
  company_id uuid NOT NULL,
  CONSTRAINT company_tags_pkey PRIMARY KEY (organization_id, tag, company_id)
);
ALTER TABLE trellis.company_tags ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.company_tags FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.company_tags FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.company_tags FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.company_tags TO trellis_api;

CREATE TABLE trellis.contact_companies (
  organization_id uuid NOT NULL,
  company_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  CONSTRAINT contact_companies_pkey PRIMARY KEY (organization_id, company_id, contact_id),
  CONSTRAINT contact_companies_company FOREIGN KEY (organization_id, company_id) REFERENCES trellis.companies(organization_id, id)
);
ALTER TABLE trellis.contact_companies ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.contact_companies FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.contact_companies FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.contact_companies FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.contact_companies TO trellis_api;

CREATE TABLE trellis.contact_emails (
  organization_id uuid NOT NULL,
  email text NOT NULL,
  contact_id uuid NOT NULL,
  CONSTRAINT contact_emails_key PRIMARY KEY (organization_id, email)
);
ALTER TABLE trellis.contact_emails ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.contact_emails FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.contact_emails FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.contact_emails FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.contact_emails TO trellis_api;

CREATE TABLE trellis.contact_phones (
  organization_id uuid NOT NULL,
  e164 text NOT NULL,
  contact_id uuid NOT NULL,
  CONSTRAINT contact_phones_pkey PRIMARY KEY (organization_id, e164, contact_id)
);
ALTER TABLE trellis.contact_phones ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.contact_phones FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.contact_phones FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.contact_phones FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.contact_phones TO trellis_api;

CREATE TABLE trellis.contact_tags (
  organization_id uuid NOT NULL,
  tag text NOT NULL,
  contact_id uuid NOT NULL,
  CONSTRAINT contact_tags_pkey PRIMARY KEY (organization_id, tag, contact_id)
);
ALTER TABLE trellis.contact_tags ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.contact_tags FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.contact_tags FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.contact_tags FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.contact_tags TO trellis_api;

CREATE TABLE trellis.contacts (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
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
  CONSTRAINT contacts_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT contacts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id)
);
ALTER TABLE trellis.contacts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX contacts_created_at ON trellis.contacts USING btree (organization_id, created_at, id);
CREATE INDEX contacts_display_name ON trellis.contacts USING btree (organization_id, display_name COLLATE trellis.alphabetical, id);
CREATE UNIQUE INDEX contacts_external_id ON trellis.contacts USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX contacts_import ON trellis.contacts USING btree (organization_id, import_id, created_at, id) WHERE (import_id IS NOT NULL);
CREATE INDEX contacts_lead_status ON trellis.contacts USING btree (organization_id, lead_status, created_at, id);
CREATE INDEX contacts_lifecycle_stage ON trellis.contacts USING btree (organization_id, lifecycle_stage, created_at, id);
CREATE INDEX contacts_owner ON trellis.contacts USING btree (organization_id, owner_user_id, created_at, id);
CREATE INDEX contacts_updated_at ON trellis.contacts USING btree (organization_id, updated_at, id);
CREATE POLICY backup ON trellis.contacts FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.contacts FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.contacts FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.contacts TO trellis_api;

CREATE TABLE trellis.credential_versions (
  user_id uuid NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  CONSTRAINT credential_versions_pkey PRIMARY KEY (user_id),
  CONSTRAINT credential_versions_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id)
);
ALTER TABLE trellis.credential_versions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.credential_versions FOR ALL TO trellis_auth USING (true) WITH CHECK (true);
CREATE POLICY backup ON trellis.credential_versions FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
GRANT INSERT, SELECT, UPDATE ON trellis.credential_versions TO trellis_auth;

CREATE TABLE trellis.erasures (
  organization_id uuid NOT NULL,
  record_id uuid NOT NULL,
  CONSTRAINT erasures_pkey PRIMARY KEY (organization_id, record_id),
  CONSTRAINT erasures_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id)
);
ALTER TABLE trellis.erasures ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.erasures FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.erasures FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.erasures FOR INSERT TO trellis_api WITH CHECK ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.erasures FOR ALL TO trellis_worker USING (true);
GRANT INSERT ON trellis.erasures TO trellis_api;
GRANT DELETE, INSERT, SELECT ON trellis.erasures TO trellis_worker;

CREATE TABLE trellis.event_positions (
  organization_id uuid NOT NULL,
  position bigint NOT NULL,
  logged_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT event_positions_pkey PRIMARY KEY (organization_id),
  CONSTRAINT event_positions_position_check CHECK (("position" >= 1))
);
ALTER TABLE trellis.event_positions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.event_positions FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.event_positions FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.event_positions FOR SELECT TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.event_positions FOR ALL TO trellis_worker USING (true);
GRANT SELECT ON trellis.event_positions TO trellis_api;
GRANT INSERT, SELECT, UPDATE ON trellis.event_positions TO trellis_worker;

CREATE TABLE trellis.event_sink_cursors (
  organization_id uuid NOT NULL,
  sink text NOT NULL,
  position bigint NOT NULL,
  forwarded_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT event_sink_cursors_pkey PRIMARY KEY (organization_id, sink),
  CONSTRAINT event_sink_cursors_position_check CHECK (("position" >= 1))
);
ALTER TABLE trellis.event_sink_cursors ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.event_sink_cursors FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.event_sink_cursors FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY worker ON trellis.event_sink_cursors FOR ALL TO trellis_worker USING (true);
GRANT INSERT, SELECT, UPDATE ON trellis.event_sink_cursors TO trellis_worker;

CREATE TABLE trellis.events (
  organization_id uuid NOT NULL,
  position bigint NOT NULL,
  logged_at timestamp(3) with time zone NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  parent_id uuid,
  subject_version integer NOT NULL,
  actor_user_id uuid,
  actor_client_id uuid,
  request_id text NOT NULL,
  changed_fields text[] NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  readers text[],
  actor_token_id uuid,
  actor_methods text[],
  CONSTRAINT events_pkey PRIMARY KEY (organization_id, "position", logged_at)
) PARTITION BY RANGE (logged_at);
ALTER TABLE trellis.events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX events_occurred_at ON ONLY trellis.events USING btree (organization_id, occurred_at);
CREATE INDEX events_subject ON ONLY trellis.events USING btree (organization_id, subject_id, "position");
CREATE POLICY backup ON trellis.events FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.events FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.events FOR SELECT TO trellis_api USING (((organization_id = trellis.current_organization()) AND trellis.may_read(readers, ( SELECT trellis.current_readers() AS current_readers))));
CREATE POLICY worker ON trellis.events FOR ALL TO trellis_worker USING (true);
GRANT SELECT ON trellis.events TO trellis_api;
GRANT INSERT, SELECT ON trellis.events TO trellis_worker;

CREATE TABLE trellis.external_identities (
  id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT external_identities_subject UNIQUE (issuer, subject),
  CONSTRAINT external_identities_pkey PRIMARY KEY (id),
  CONSTRAINT external_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id),
  CONSTRAINT external_identities_issuer_check CHECK (((char_length(issuer) >= 1) AND (char_length(issuer) <= 2000))),
  CONSTRAINT external_identities_subject_check CHECK (((char_length(subject) >= 1) AND (char_length(subject) <= 255)))
);
ALTER TABLE trellis.external_identities ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX external_identities_user ON trellis.external_identities USING btree (user_id);
CREATE POLICY auth ON trellis.external_identities FOR ALL TO trellis_auth USING (true) WITH CHECK (true);
CREATE POLICY backup ON trellis.external_identities FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.external_identities TO trellis_auth;

CREATE TABLE trellis.extraction_jobs (
  organization_id uuid NOT NULL,
  file_id uuid NOT NULL,
  content_version integer NOT NULL,
  media_type text NOT NULL,
  sha256 text NOT NULL,
  available_at timestamp(3) with time zone NOT NULL,
  attempts integer NOT NULL,
  CONSTRAINT extraction_jobs_pkey PRIMARY KEY (organization_id, file_id)
);
ALTER TABLE trellis.extraction_jobs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX extraction_jobs_available_at ON trellis.extraction_jobs USING btree (available_at);
CREATE INDEX extraction_jobs_organization ON trellis.extraction_jobs USING btree (organization_id, available_at, file_id);
CREATE POLICY backup ON trellis.extraction_jobs FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.extraction_jobs FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.extraction_jobs FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.extraction_jobs FOR ALL TO trellis_worker USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.extraction_jobs TO trellis_api;
GRANT DELETE, SELECT, UPDATE ON trellis.extraction_jobs TO trellis_worker;

CREATE TABLE trellis.extraction_turns (
  organization_id uuid NOT NULL,
  served_at timestamp with time zone NOT NULL,
  CONSTRAINT extraction_turns_pkey PRIMARY KEY (organization_id),
  CONSTRAINT extraction_turns_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id)
);
ALTER TABLE trellis.extraction_turns ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.extraction_turns FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.extraction_turns FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY worker ON trellis.extraction_turns FOR ALL TO trellis_worker USING (true);
GRANT INSERT, SELECT, UPDATE ON trellis.extraction_turns TO trellis_worker;

CREATE TABLE trellis.idempotency_keys (
  organization_id uuid NOT NULL,
  client_id uuid NOT NULL,
  user_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  status smallint NOT NULL,
  location text,
  etag text,
  shows text NOT NULL,
  body text,
  published text[] NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  subject_id uuid,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, client_id, user_id, key),
  CONSTRAINT idempotency_keys_check CHECK (((body IS NULL) OR (shows = 'OTHER'::text))),
  CONSTRAINT idempotency_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
  CONSTRAINT idempotency_keys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255))),
  CONSTRAINT idempotency_keys_shows_check CHECK ((shows = ANY (ARRAY['NOTHING'::text, 'RECORD'::text, 'OTHER'::text])))
);
ALTER TABLE trellis.idempotency_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX idempotency_keys_created_at ON trellis.idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_subject ON trellis.idempotency_keys USING btree (organization_id, subject_id) WHERE ((subject_id IS NOT NULL) AND (body IS NOT NULL));
CREATE POLICY backup ON trellis.idempotency_keys FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.idempotency_keys FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization_deletes ON trellis.idempotency_keys FOR DELETE TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY organization_erases ON trellis.idempotency_keys FOR UPDATE TO trellis_api USING ((organization_id = trellis.current_organization())) WITH CHECK (((organization_id = trellis.current_organization()) AND (body IS NULL)));
CREATE POLICY organization_inserts ON trellis.idempotency_keys FOR INSERT TO trellis_api WITH CHECK ((organization_id = trellis.current_organization()));
CREATE POLICY organization_reads ON trellis.idempotency_keys FOR SELECT TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker_deletes ON trellis.idempotency_keys FOR DELETE TO trellis_worker USING (true);
CREATE POLICY worker_erases ON trellis.idempotency_keys FOR UPDATE TO trellis_worker USING (true) WITH CHECK ((body IS NULL));
CREATE POLICY worker_reads ON trellis.idempotency_keys FOR SELECT TO trellis_worker USING (true);
GRANT DELETE, INSERT, SELECT ON trellis.idempotency_keys TO trellis_api;
GRANT DELETE, SELECT ON trellis.idempotency_keys TO trellis_worker;
GRANT UPDATE (body) ON trellis.idempotency_keys TO trellis_api;
GRANT UPDATE (body) ON trellis.idempotency_keys TO trellis_worker;

CREATE TABLE trellis.identifications (
  organization_id uuid NOT NULL,
  visitor_id uuid NOT NULL,
  id uuid NOT NULL,
  request_id text NOT NULL,
  score double precision NOT NULL,
  browser_name text NOT NULL,
  browser_version text NOT NULL,
  device_type text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  site_id uuid,
  counted_at timestamp(3) with time zone,
  CONSTRAINT identifications_pkey PRIMARY KEY (organization_id, visitor_id, id),
  CONSTRAINT identifications_organization_id_visitor_id_fkey FOREIGN KEY (organization_id, visitor_id) REFERENCES trellis.visitors(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT identifications_score_check CHECK (((score >= (0)::double precision) AND (score <= (1)::double precision)))
);
ALTER TABLE trellis.identifications ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX identifications_counted ON trellis.identifications USING btree (organization_id, counted_at DESC) INCLUDE (site_id, visitor_id) WHERE (counted_at IS NOT NULL);
CREATE INDEX identifications_expires_at ON trellis.identifications USING btree (expires_at);
CREATE POLICY backup ON trellis.identifications FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.identifications FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.identifications FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker_deletes ON trellis.identifications FOR DELETE TO trellis_worker USING (true);
CREATE POLICY worker_reads ON trellis.identifications FOR SELECT TO trellis_worker USING (true);
GRANT DELETE, INSERT, SELECT ON trellis.identifications TO trellis_api;
GRANT DELETE ON trellis.identifications TO trellis_worker;
GRANT SELECT (organization_id, visitor_id, id, expires_at) ON trellis.identifications TO trellis_worker;

CREATE TABLE trellis.invitations (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  email text NOT NULL,
  email_normalized text NOT NULL,
  role_id uuid NOT NULL,
  status text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  sent_by uuid NOT NULL,
  secret_hash bytea NOT NULL,
  mail_hash bytea,
  user_id uuid,
  CONSTRAINT invitations_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT invitations_organization_id_role_id_fkey FOREIGN KEY (organization_id, role_id) REFERENCES trellis.roles(organization_id, id),
  CONSTRAINT invitations_sent_by_fkey FOREIGN KEY (sent_by) REFERENCES trellis.users(id),
  CONSTRAINT invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id),
  CONSTRAINT invitations_accepted CHECK (((status = 'ACCEPTED'::text) = (user_id IS NOT NULL))),
  CONSTRAINT invitations_email_check CHECK (((char_length(email) >= 1) AND (char_length(email) <= 254))),
  CONSTRAINT invitations_mail_hash_check CHECK ((octet_length(mail_hash) = 32)),
  CONSTRAINT invitations_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
  CONSTRAINT invitations_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACCEPTED'::text, 'REVOKED'::text])))
);
ALTER TABLE trellis.invitations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX invitations_created_at ON trellis.invitations USING btree (organization_id, created_at, id);
CREATE INDEX invitations_email ON trellis.invitations USING btree (organization_id, email COLLATE trellis.alphabetical, id);
CREATE INDEX invitations_mail_hash ON trellis.invitations USING btree (mail_hash) WHERE (mail_hash IS NOT NULL);
CREATE UNIQUE INDEX invitations_pending ON trellis.invitations USING btree (organization_id, email_normalized) WHERE (status = 'PENDING'::text);
CREATE INDEX invitations_role_id ON trellis.invitations USING btree (organization_id, role_id);
CREATE INDEX invitations_secret_hash ON trellis.invitations USING btree (secret_hash);
CREATE INDEX invitations_sent_by ON trellis.invitations USING btree (sent_by);
CREATE INDEX invitations_updated_at ON trellis.invitations USING btree (organization_id, updated_at, id);
CREATE INDEX invitations_user_id ON trellis.invitations USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE POLICY auth ON trellis.invitations FOR SELECT TO trellis_auth USING (true);
CREATE POLICY auth_accepts ON trellis.invitations FOR UPDATE TO trellis_auth USING ((status = 'PENDING'::text)) WITH CHECK ((status = 'ACCEPTED'::text));
CREATE POLICY auth_revokes ON trellis.invitations FOR UPDATE TO trellis_auth USING (((status = 'PENDING'::text) AND (EXISTS ( SELECT
   FROM trellis.users u
  WHERE ((u.id = invitations.sent_by) AND (NOT u.address_proven)))))) WITH CHECK (((status = 'REVOKED'::text) AND (EXISTS ( SELECT
   FROM trellis.users u
  WHERE ((u.id = invitations.sent_by) AND (NOT u.address_proven))))));
CREATE POLICY backup ON trellis.invitations FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.invitations FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.invitations FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT ON trellis.invitations TO trellis_api;
GRANT SELECT ON trellis.invitations TO trellis_auth;
GRANT SELECT (organization_id, id, version, created_at, updated_at, created_by, updated_by, email, email_normalized, role_id, status, expires_at, sent_by, user_id) ON trellis.invitations TO trellis_api;
GRANT UPDATE (version, updated_at, updated_by, status, expires_at, sent_by, secret_hash, mail_hash) ON trellis.invitations TO trellis_api;
GRANT UPDATE (version, updated_at, updated_by, status, user_id) ON trellis.invitations TO trellis_auth;

CREATE TABLE trellis.issue_articles (
  organization_id uuid NOT NULL,
  magazine_id uuid NOT NULL,
  issue_id uuid NOT NULL,
  article_id uuid NOT NULL,
  CONSTRAINT issue_articles_pkey PRIMARY KEY (organization_id, article_id, issue_id),
  CONSTRAINT issue_articles_article FOREIGN KEY (organization_id, article_id) REFERENCES trellis.articles(organization_id, id)
);
ALTER TABLE trellis.issue_articles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.issue_articles FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.issue_articles FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.issue_articles FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.issue_articles TO trellis_api;

CREATE TABLE trellis.issue_files (
  organization_id uuid NOT NULL,
  magazine_id uuid NOT NULL,
  file_id uuid NOT NULL,
  issue_id uuid NOT NULL,
  CONSTRAINT issue_files_pkey PRIMARY KEY (organization_id, file_id, issue_id),
  CONSTRAINT issue_files_file FOREIGN KEY (organization_id, file_id) REFERENCES trellis.knowledge_files(organization_id, id)
);
ALTER TABLE trellis.issue_files ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.issue_files FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.issue_files FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.issue_files FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.issue_files TO trellis_api;

CREATE TABLE trellis.issues (
  organization_id uuid NOT NULL,
  magazine_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  volume text,
  number text,
  year integer,
  title text,
  cover_date text,
  publication_date text,
  page_count integer,
  doi text,
  cover_file_id uuid,
  file_ids uuid[] NOT NULL,
  access_status text,
  open_access_date text,
  contents json NOT NULL,
  status text NOT NULL,
  import_id text,
  CONSTRAINT issues_pkey PRIMARY KEY (organization_id, magazine_id, id),
  CONSTRAINT issues_cover FOREIGN KEY (organization_id, cover_file_id) REFERENCES trellis.knowledge_files(organization_id, id),
  CONSTRAINT issues_organization_id_magazine_id_fkey FOREIGN KEY (organization_id, magazine_id) REFERENCES trellis.magazines(organization_id, id),
  CONSTRAINT issues_access_status_check CHECK ((access_status = ANY (ARRAY['OPEN'::text, 'SUBSCRIPTION'::text]))),
  CONSTRAINT issues_check CHECK ((COALESCE(title, cover_date, number) IS NOT NULL)),
  CONSTRAINT issues_status_check CHECK ((status = ANY (ARRAY['PLANNED'::text, 'IN_PRODUCTION'::text, 'PUBLISHED'::text, 'ARCHIVED'::text])))
);
ALTER TABLE trellis.issues ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX issues_cover ON trellis.issues USING btree (organization_id, cover_file_id) WHERE (cover_file_id IS NOT NULL);
CREATE INDEX issues_created_at ON trellis.issues USING btree (organization_id, magazine_id, created_at, id);
CREATE UNIQUE INDEX issues_external_id ON trellis.issues USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX issues_import ON trellis.issues USING btree (organization_id, magazine_id, import_id, created_at, id) WHERE (import_id IS NOT NULL);
CREATE UNIQUE INDEX issues_number ON trellis.issues USING btree (organization_id, magazine_id, year, volume, number) NULLS NOT DISTINCT;
CREATE INDEX issues_status ON trellis.issues USING btree (organization_id, magazine_id, status, created_at, id);
CREATE INDEX issues_title ON trellis.issues USING btree (organization_id, magazine_id, COALESCE(title, cover_date, number) COLLATE trellis.alphabetical, id);
CREATE INDEX issues_updated_at ON trellis.issues USING btree (organization_id, magazine_id, updated_at, id);
CREATE POLICY backup ON trellis.issues FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.issues FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.issues FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.issues TO trellis_api;

CREATE TABLE trellis.knowledge_file_tags (
  organization_id uuid NOT NULL,
  tag text NOT NULL,
  knowledge_file_id uuid NOT NULL,
  CONSTRAINT knowledge_file_tags_pkey PRIMARY KEY (organization_id, tag, knowledge_file_id)
);
ALTER TABLE trellis.knowledge_file_tags ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.knowledge_file_tags FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.knowledge_file_tags FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.knowledge_file_tags FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.knowledge_file_tags TO trellis_api;

CREATE TABLE trellis.knowledge_files (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  description text,
  tags json NOT NULL,
  language text,
  source_url text,
  expires_at timestamp(3) with time zone,
  visibility text NOT NULL,
  owner_user_id uuid NOT NULL,
  allowed_user_ids uuid[] NOT NULL,
  allowed_roles text[] NOT NULL,
  file_name text,
  media_type text,
  size_bytes integer,
  sha256 text,
  page_count integer,
  content_version integer NOT NULL,
  status text NOT NULL,
  failure_reason text,
  extracted_characters integer,
  readers text[] GENERATED 
CASE visibility
    WHEN 'ORGANIZATION'::text THEN NULL::text[]
    WHEN 'RESTRICTED'::text THEN (((owner_user_id)::text || (allowed_user_ids)::text[]) || allowed_roles)
    ELSE ARRAY[(owner_user_id)::text]
END,
  alternative_text text,
  focal_point json,
  width integer,
  height integer,
  picture_path text,
  public_since timestamp(3) with time zone,
  import_id text,
  CONSTRAINT knowledge_files_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT knowledge_files_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT knowledge_files_check CHECK (((status = 'PENDING_UPLOAD'::text) = (sha256 IS NULL))),
  CONSTRAINT knowledge_files_public CHECK (((public_since IS NULL) OR ((visibility = 'ORGANIZATION'::text) AND (status = 'NOT_APPLICABLE'::text) AND (width IS NOT NULL) AND (picture_path IS NOT NULL) AND ("right"(picture_path, 32) = "left"(sha256, 32))))),
  CONSTRAINT knowledge_files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT knowledge_files_status_check CHECK ((status = ANY (ARRAY['PENDING_UPLOAD'::text, 'PROCESSING'::text, 'READY'::text, 'NOT_APPLICABLE'::text, 'FAILED'::text]))),
  CONSTRAINT knowledge_files_visibility_check CHECK ((visibility = ANY (ARRAY['PRIVATE'::text, 'RESTRICTED'::text, 'ORGANIZATION'::text])))
);
ALTER TABLE trellis.knowledge_files ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX knowledge_files_created_at ON trellis.knowledge_files USING btree (organization_id, created_at, id);
CREATE UNIQUE INDEX knowledge_files_external_id ON trellis.knowledge_files USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX knowledge_files_import ON trellis.knowledge_files USING btree (organization_id, import_id, created_at, id) WHERE (import_id IS NOT NULL);
CREATE INDEX knowledge_files_name ON trellis.knowledge_files USING btree (organization_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX knowledge_files_owner ON trellis.knowledge_files USING btree (organization_id, owner_user_id, created_at, id);
CREATE INDEX knowledge_files_pictures ON trellis.knowledge_files USING btree (organization_id, ((picture_path IS NOT NULL)), created_at, id);
CREATE INDEX knowledge_files_sha256 ON trellis.knowledge_files USING btree (organization_id, sha256);
CREATE INDEX knowledge_files_updated_at ON trellis.knowledge_files USING btree (organization_id, updated_at, id);
CREATE POLICY backup ON trellis.knowledge_files FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.knowledge_files FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.knowledge_files FOR ALL TO trellis_api USING (((organization_id = trellis.current_organization()) AND (trellis.may_read(readers, ( SELECT trellis.current_readers() AS current_readers)) OR ( SELECT trellis.sees_all_files() AS sees_all_files)))) WITH CHECK ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.knowledge_files TO trellis_api;

CREATE TABLE trellis.knowledge_pages (
  organization_id uuid NOT NULL,
  file_id uuid NOT NULL,
  page integer NOT NULL,
  part integer NOT NULL,
  text text NOT NULL,
  terms tsvector NOT NULL STATISTICS 0,
  beyond_entry boolean NOT NULL,
  CONSTRAINT knowledge_pages_pkey PRIMARY KEY (organization_id, file_id, page, part),
  CONSTRAINT knowledge_pages_organization_id_file_id_fkey FOREIGN KEY (organization_id, file_id) REFERENCES trellis.knowledge_files(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT knowledge_pages_page_check CHECK ((page >= 1)),
  CONSTRAINT knowledge_pages_part_check CHECK ((part >= 1))
);
ALTER TABLE trellis.knowledge_pages ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX knowledge_pages_terms ON trellis.knowledge_pages USING gin (terms) WITH (fastupdate=off);
CREATE INDEX knowledge_pages_terms_beyond ON trellis.knowledge_pages USING gin (terms) WITH (fastupdate=off) WHERE beyond_entry;
CREATE POLICY backup ON trellis.knowledge_pages FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.knowledge_pages FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.knowledge_pages FOR ALL TO trellis_api USING (((organization_id = trellis.current_organization()) AND (EXISTS ( SELECT
   FROM trellis.knowledge_files f
  WHERE ((f.organization_id = knowledge_pages.organization_id) AND (f.id = knowledge_pages.file_id)))))) WITH CHECK ((organization_id = trellis.current_organization()));
CREATE POLICY search ON trellis.knowledge_pages FOR SELECT TO trellis_search USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.knowledge_pages TO trellis_api;
GRANT SELECT ON trellis.knowledge_pages TO trellis_search;

CREATE TABLE trellis.leases (
  name text NOT NULL,
  term bigint NOT NULL DEFAULT 0,
  holder text,
  expires_at timestamp(3) with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);
ALTER TABLE trellis.leases ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.leases FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY worker ON trellis.leases FOR ALL TO trellis_worker USING (true);
GRANT SELECT, UPDATE ON trellis.leases TO trellis_worker;

CREATE TABLE trellis.magazine_issns (
  organization_id uuid NOT NULL,
  issn text NOT NULL,
  magazine_id uuid NOT NULL,
  CONSTRAINT magazine_issns_key PRIMARY KEY (organization_id, issn)
);
ALTER TABLE trellis.magazine_issns ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.magazine_issns FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.magazine_issns FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.magazine_issns FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.magazine_issns TO trellis_api;

CREATE TABLE trellis.magazines (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  title text NOT NULL,
  abbreviated_title text,
  description text,
  language text,
  publisher text,
  website_url text,
  cover_file_id uuid,
  issn_print text,
  issn_online text,
  frequency text,
  start_date text,
  end_date text,
  status text NOT NULL,
  import_id text,
  CONSTRAINT magazines_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT magazines_cover FOREIGN KEY (organization_id, cover_file_id) REFERENCES trellis.knowledge_files(organization_id, id),
  CONSTRAINT magazines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT magazines_check CHECK (((status <> 'CEASED'::text) OR (end_date IS NOT NULL))),
  CONSTRAINT magazines_check1 CHECK ((issn_print <> issn_online)),
  CONSTRAINT magazines_issn_online_check CHECK ((issn_online ~ '^[0-9]{4}-[0-9]{3}[0-9X]$'::text)),
  CONSTRAINT magazines_issn_print_check CHECK ((issn_print ~ '^[0-9]{4}-[0-9]{3}[0-9X]$'::text)),
  CONSTRAINT magazines_status_check CHECK ((status = ANY (ARRAY['PLANNED'::text, 'ACTIVE'::text, 'SUSPENDED'::text, 'CEASED'::text])))
);
ALTER TABLE trellis.magazines ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX magazines_cover ON trellis.magazines USING btree (organization_id, cover_file_id) WHERE (cover_file_id IS NOT NULL);
CREATE INDEX magazines_created_at ON trellis.magazines USING btree (organization_id, created_at, id);
CREATE UNIQUE INDEX magazines_external_id ON trellis.magazines USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX magazines_import ON trellis.magazines USING btree (organization_id, import_id, created_at, id) WHERE (import_id IS NOT NULL);
CREATE INDEX magazines_status ON trellis.magazines USING btree (organization_id, status, created_at, id);
CREATE INDEX magazines_title ON trellis.magazines USING btree (organization_id, title COLLATE trellis.alphabetical, id);
CREATE INDEX magazines_updated_at ON trellis.magazines USING btree (organization_id, updated_at, id);
CREATE POLICY backup ON trellis.magazines FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.magazines FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.magazines FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.magazines TO trellis_api;

CREATE TABLE trellis.memberships (
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  id uuid NOT NULL GENERATED user_id,
  role_id uuid GENERATED 
CASE
    WHEN (role = ANY (ARRAY['OWNER'::text, 'ADMIN'::text, 'EDITOR'::text, 'AUTHOR'::text, 'VIEWER'::text])) THEN NULL::uuid
    ELSE (role)::uuid
END,
  status text NOT NULL DEFAULT 'ACTIVE'::text,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  responsible_user_id uuid,
  CONSTRAINT memberships_id UNIQUE (organization_id, id),
  CONSTRAINT memberships_pkey PRIMARY KEY (organization_id, user_id),
  CONSTRAINT memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT memberships_organization_id_role_id_fkey FOREIGN KEY (organization_id, role_id) REFERENCES trellis.roles(organization_id, id),
  CONSTRAINT memberships_responsible FOREIGN KEY (organization_id, responsible_user_id) REFERENCES trellis.memberships(organization_id, user_id),
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id),
  CONSTRAINT memberships_not_responsible_for_itself CHECK ((responsible_user_id <> user_id)),
  CONSTRAINT memberships_status CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text])))
);
ALTER TABLE trellis.memberships ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX memberships_created_at ON trellis.memberships USING btree (organization_id, created_at, id);
CREATE INDEX memberships_responsible_user_id ON trellis.memberships USING btree (organization_id, responsible_user_id) WHERE (responsible_user_id IS NOT NULL);
CREATE INDEX memberships_role_id ON trellis.memberships USING btree (organization_id, role_id) WHERE (role_id IS NOT NULL);
CREATE INDEX memberships_updated_at ON trellis.memberships USING btree (organization_id, updated_at, id);
CREATE POLICY auth ON trellis.memberships FOR SELECT TO trellis_auth USING (true);
CREATE POLICY auth_invited ON trellis.memberships FOR INSERT TO trellis_auth WITH CHECK ((EXISTS ( SELECT
   FROM (trellis.invitations i
     JOIN trellis.roles r ON (((r.organization_id = i.organization_id) AND (r.id = i.role_id))))
  WHERE ((i.organization_id = memberships.organization_id) AND (i.user_id = memberships.user_id) AND (i.status = 'ACCEPTED'::text) AND (memberships.role =
        CASE
            WHEN r.built_in THEN r.key
            ELSE (r.id)::text
        END)))));
CREATE POLICY auth_locks ON trellis.memberships FOR UPDATE TO trellis_auth USING (true) WITH CHECK (false);
CREATE POLICY backup ON trellis.memberships FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.memberships FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization_deletes ON trellis.memberships FOR DELETE TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY organization_inserts_service_members ON trellis.memberships FOR INSERT TO trellis_api WITH CHECK (((organization_id = trellis.current_organization()) AND (responsible_user_id IS NOT NULL)));
CREATE POLICY organization_reads ON trellis.memberships FOR SELECT TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY organization_updates ON trellis.memberships FOR UPDATE TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY search ON trellis.memberships FOR SELECT TO trellis_search USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.memberships FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT DELETE, SELECT ON trellis.memberships TO trellis_api;
GRANT SELECT ON trellis.memberships TO trellis_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.memberships TO trellis_worker;
GRANT INSERT (organization_id, user_id, role, created_at, status, version, updated_at, created_by, updated_by, responsible_user_id) ON trellis.memberships TO trellis_api;
GRANT UPDATE (role, status, version, updated_at, updated_by, responsible_user_id) ON trellis.memberships TO trellis_api;
GRANT INSERT (organization_id, user_id, role, created_at, updated_at, created_by, updated_by) ON trellis.memberships TO trellis_auth;
GRANT UPDATE (created_at) ON trellis.memberships TO trellis_auth;
GRANT SELECT (organization_id, user_id, role, role_id) ON trellis.memberships TO trellis_search;

CREATE TABLE trellis.migrations (
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);
GRANT SELECT ON trellis.migrations TO trellis_api;
GRANT SELECT ON trellis.migrations TO trellis_worker;

CREATE TABLE trellis.organizations (
  id uuid NOT NULL,
  key text NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'ACTIVE'::text,
  modules text[] NOT NULL,
  default_country text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  mfa_required boolean NOT NULL DEFAULT false,
  history_days integer NOT NULL DEFAULT 365,
  version integer NOT NULL DEFAULT 1,
  created_by uuid,
  updated_by uuid,
  CONSTRAINT organizations_key UNIQUE (key),
  CONSTRAINT organizations_pkey PRIMARY KEY (id),
  CONSTRAINT organizations_default_country_check CHECK ((default_country ~ '^[A-Z]{2}$'::text)),
  CONSTRAINT organizations_history_days_check CHECK (((history_days >= 1) AND (history_days <= 3650))),
  CONSTRAINT organizations_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 63))),
  CONSTRAINT organizations_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  CONSTRAINT organizations_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text])))
);
ALTER TABLE trellis.organizations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.organizations FOR SELECT TO trellis_auth USING (true);
CREATE POLICY backup ON trellis.organizations FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.organizations FOR INSERT TO trellis_owner WITH CHECK ((id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.organizations FOR ALL TO trellis_api USING ((id = trellis.current_organization()));
CREATE POLICY worker ON trellis.organizations FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT ON trellis.organizations TO trellis_api;
GRANT INSERT, SELECT, UPDATE ON trellis.organizations TO trellis_worker;
GRANT UPDATE (name, status, modules, default_country, updated_at, mfa_required, history_days, version, updated_by) ON trellis.organizations TO trellis_api;
GRANT SELECT (id, key, name, status, mfa_required) ON trellis.organizations TO trellis_auth;

CREATE TABLE trellis.outbox (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  parent_id uuid,
  subject_version integer NOT NULL,
  actor_user_id uuid,
  actor_client_id uuid,
  request_id text NOT NULL,
  changed_fields text[] NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  readers text[],
  actor_token_id uuid,
  actor_methods text[],
  CONSTRAINT outbox_pkey PRIMARY KEY (organization_id, id)
);
ALTER TABLE trellis.outbox ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.outbox FOR INSERT TO trellis_auth WITH CHECK ((subject_type = ANY (ARRAY['member'::text, 'session'::text, 'invitation'::text, 'token'::text, 'webhook-endpoint'::text])));
CREATE POLICY backup ON trellis.outbox FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.outbox FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.outbox FOR INSERT TO trellis_api WITH CHECK ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.outbox FOR ALL TO trellis_worker USING (true);
GRANT INSERT ON trellis.outbox TO trellis_api;
GRANT INSERT ON trellis.outbox TO trellis_auth;
GRANT DELETE, INSERT, SELECT ON trellis.outbox TO trellis_worker;

CREATE TABLE trellis.passkeys (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp(3) with time zone,
  CONSTRAINT passkeys_credential UNIQUE (credential_id),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id),
  CONSTRAINT passkeys_credential_id_check CHECK (((char_length(credential_id) >= 1) AND (char_length(credential_id) <= 1366))),
  CONSTRAINT passkeys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120)))
);
ALTER TABLE trellis.passkeys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX passkeys_user ON trellis.passkeys USING btree (user_id);
CREATE POLICY auth ON trellis.passkeys FOR ALL TO trellis_auth USING (true) WITH CHECK (true);
CREATE POLICY backup ON trellis.passkeys FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.passkeys TO trellis_auth;

CREATE TABLE trellis.passwords (
  user_id uuid NOT NULL,
  hash text NOT NULL,
  changed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT passwords_pkey PRIMARY KEY (user_id),
  CONSTRAINT passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id),
  CONSTRAINT passwords_hash_check CHECK ((hash ~~ '$argon2id$%'::text))
);
ALTER TABLE trellis.passwords ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.passwords FOR ALL TO trellis_auth USING (true) WITH CHECK (true);
CREATE POLICY backup ON trellis.passwords FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.passwords TO trellis_auth;

CREATE TABLE trellis.picture_renditions (
  organization_id uuid NOT NULL,
  file_id uuid NOT NULL,
  variant text NOT NULL,
  source text NOT NULL,
  claim uuid NOT NULL,
  claimed_until timestamp(3) with time zone NOT NULL,
  failed boolean NOT NULL,
  sha256 text,
  media_type text,
  size_bytes integer,
  made_at timestamp(3) with time zone,
  CONSTRAINT picture_renditions_pkey PRIMARY KEY (organization_id, file_id, variant),
  CONSTRAINT picture_renditions_organization_id_file_id_fkey FOREIGN KEY (organization_id, file_id) REFERENCES trellis.knowledge_files(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT picture_renditions_check CHECK ((num_nulls(sha256, media_type, size_bytes, made_at) = ANY (ARRAY[0, 4]))),
  CONSTRAINT picture_renditions_check1 CHECK (((NOT failed) OR (sha256 IS NULL))),
  CONSTRAINT picture_renditions_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
ALTER TABLE trellis.picture_renditions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX picture_renditions_made_at ON trellis.picture_renditions USING btree (organization_id, made_at);
CREATE INDEX picture_renditions_sha256 ON trellis.picture_renditions USING btree (organization_id, sha256);
CREATE POLICY backup ON trellis.picture_renditions FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.picture_renditions FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.picture_renditions FOR ALL TO trellis_api USING (((organization_id = trellis.current_organization()) AND (EXISTS ( SELECT
   FROM trellis.knowledge_files f
  WHERE ((f.organization_id = picture_renditions.organization_id) AND (f.id = picture_renditions.file_id)))))) WITH CHECK ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.picture_renditions TO trellis_api;

CREATE TABLE trellis.plants (
  organization_id uuid NOT NULL,
  id bigint NOT NULL,
  creation uuid NOT NULL,
  name text NOT NULL,
  tag text,
  CONSTRAINT plants_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT plants_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id)
);
ALTER TABLE trellis.plants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX plants_creation ON trellis.plants USING btree (organization_id, creation);
CREATE POLICY backup ON trellis.plants FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.plants FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.plants FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT ON trellis.plants TO trellis_api;

CREATE TABLE trellis.publishable_key_origins (
  organization_id uuid NOT NULL,
  client_id uuid NOT NULL,
  origin text NOT NULL,
  CONSTRAINT publishable_key_origins_pkey PRIMARY KEY (organization_id, client_id, origin),
  CONSTRAINT publishable_key_origins_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES trellis.publishable_keys(organization_id, client_id),
  CONSTRAINT publishable_key_origins_origin_check CHECK (((char_length(origin) >= 1) AND (char_length(origin) <= 267)))
);
ALTER TABLE trellis.publishable_key_origins ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX publishable_key_origins_origin ON trellis.publishable_key_origins USING btree (origin);
CREATE POLICY backup ON trellis.publishable_key_origins FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.publishable_key_origins FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.publishable_key_origins FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY presented ON trellis.publishable_key_origins FOR SELECT TO trellis_api USING ((origin = NULLIF(current_setting('trellis.origin'::text, true), ''::text)));
CREATE POLICY worker ON trellis.publishable_key_origins FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON trellis.publishable_key_origins TO trellis_api;
GRANT DELETE, INSERT, SELECT ON trellis.publishable_key_origins TO trellis_worker;

CREATE TABLE trellis.publishable_keys (
  organization_id uuid NOT NULL,
  client_id uuid NOT NULL,
  key text NOT NULL,
  site_id uuid NOT NULL,
  CONSTRAINT publishable_keys_pkey PRIMARY KEY (organization_id, client_id),
  CONSTRAINT publishable_keys_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES trellis.clients(organization_id, id),
  CONSTRAINT publishable_keys_key_check CHECK ((char_length(key) = ANY (ARRAY[43, 69])))
);
ALTER TABLE trellis.publishable_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX publishable_keys_key ON trellis.publishable_keys USING btree (key);
CREATE POLICY backup ON trellis.publishable_keys FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.publishable_keys FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.publishable_keys FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY presented ON trellis.publishable_keys FOR SELECT TO trellis_api USING ((key = NULLIF(current_setting('trellis.publishable_key'::text, true), ''::text)));
CREATE POLICY worker ON trellis.publishable_keys FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON trellis.publishable_keys TO trellis_api;
GRANT INSERT, SELECT ON trellis.publishable_keys TO trellis_worker;

CREATE TABLE trellis.recovery_codes (
  user_id uuid NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id),
  CONSTRAINT recovery_codes_hash_check CHECK ((octet_length(hash) = 32))
);
ALTER TABLE trellis.recovery_codes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.recovery_codes FOR ALL TO trellis_auth USING (true) WITH CHECK (true);
CREATE POLICY backup ON trellis.recovery_codes FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.recovery_codes TO trellis_auth;

CREATE TABLE trellis.roles (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  key text NOT NULL,
  name text NOT NULL,
  grants json NOT NULL,
  built_in boolean NOT NULL,
  CONSTRAINT roles_key UNIQUE (organization_id, key),
  CONSTRAINT roles_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT roles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT roles_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120)))
);
ALTER TABLE trellis.roles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX roles_created_at ON trellis.roles USING btree (organization_id, created_at, id);
CREATE INDEX roles_name ON trellis.roles USING btree (organization_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX roles_updated_at ON trellis.roles USING btree (organization_id, updated_at, id);
CREATE POLICY auth ON trellis.roles FOR SELECT TO trellis_auth USING (true);
CREATE POLICY backup ON trellis.roles FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.roles FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.roles FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY search ON trellis.roles FOR SELECT TO trellis_search USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.roles FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.roles TO trellis_api;
GRANT SELECT ON trellis.roles TO trellis_auth;
GRANT INSERT, SELECT ON trellis.roles TO trellis_worker;
GRANT SELECT (organization_id, id, grants) ON trellis.roles TO trellis_search;

CREATE TABLE trellis.search_bodies (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  edition integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  terms tsvector NOT NULL STATISTICS 0,
  CONSTRAINT search_bodies_pkey PRIMARY KEY (organization_id, type, record_id, edition)
);
ALTER TABLE trellis.search_bodies ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX search_bodies_terms ON trellis.search_bodies USING gin (terms) WITH (fastupdate='on', gin_pending_list_limit='16384');
CREATE POLICY backup ON trellis.search_bodies FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.search_bodies FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.search_bodies FOR ALL TO trellis_api USING (((organization_id = trellis.current_organization()) AND (EXISTS ( SELECT
   FROM trellis.search_records s
  WHERE ((s.organization_id = search_bodies.organization_id) AND (s.type = search_bodies.type) AND (s.record_id = search_bodies.record_id) AND (s.edition = search_bodies.edition)))))) WITH CHECK ((organization_id = trellis.current_organization()));
CREATE POLICY search ON trellis.search_bodies FOR SELECT TO trellis_search USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.search_bodies TO trellis_api;
GRANT SELECT ON trellis.search_bodies TO trellis_search;

CREATE TABLE trellis.search_marks (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  parent_id uuid NOT NULL,
  number integer NOT NULL,
  available_at timestamp(3) with time zone NOT NULL,
  attempts integer NOT NULL,
  CONSTRAINT search_marks_pkey PRIMARY KEY (organization_id, type, record_id)
);
ALTER TABLE trellis.search_marks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX search_marks_available_at ON trellis.search_marks USING btree (organization_id, available_at);
CREATE POLICY auth_members ON trellis.search_marks FOR ALL TO trellis_auth USING ((type = 'member'::text)) WITH CHECK ((type = 'member'::text));
CREATE POLICY auth_tokens ON trellis.search_marks FOR ALL TO trellis_auth USING ((type = 'token'::text)) WITH CHECK ((type = 'token'::text));
CREATE POLICY backup ON trellis.search_marks FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.search_marks FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.search_marks FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.search_marks FOR ALL TO trellis_worker USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.search_marks TO trellis_api;
GRANT INSERT, SELECT, UPDATE ON trellis.search_marks TO trellis_auth;
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.search_marks TO trellis_worker;

CREATE TABLE trellis.search_readers (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  edition integer NOT NULL,
  reader text NOT NULL,
  parent_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT search_readers_pkey PRIMARY KEY (organization_id, type, record_id, edition, reader)
);
ALTER TABLE trellis.search_readers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX search_readers_newest ON trellis.search_readers USING btree (organization_id, parent_id, type, reader, created_at DESC, record_id DESC) INCLUDE (edition);
CREATE POLICY backup ON trellis.search_readers FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.search_readers FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.search_readers FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY search ON trellis.search_readers FOR SELECT TO trellis_search USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.search_readers TO trellis_api;
GRANT SELECT ON trellis.search_readers TO trellis_search;

CREATE TABLE trellis.search_records (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  edition integer NOT NULL,
  parent_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  working boolean NOT NULL,
  published boolean NOT NULL,
  readers text[],
  names text NOT NULL STATISTICS 0,
  others text NOT NULL STATISTICS 0,
  terms tsvector NOT NULL STATISTICS 0,
  CONSTRAINT search_records_pkey PRIMARY KEY (organization_id, type, record_id, edition)
);
ALTER TABLE trellis.search_records ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX search_records_newest ON trellis.search_records USING btree (organization_id, parent_id, type, created_at DESC, record_id DESC) WHERE (readers IS NULL);
CREATE INDEX search_records_terms ON trellis.search_records USING gin (terms) WITH (fastupdate='on', gin_pending_list_limit='4096');
CREATE POLICY backup ON trellis.search_records FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.search_records FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.search_records FOR ALL TO trellis_api USING (((organization_id = trellis.current_organization()) AND (trellis.may_read(readers, ( SELECT trellis.current_readers() AS current_readers)) OR ( SELECT trellis.sees_all_files() AS sees_all_files)))) WITH CHECK ((organization_id = trellis.current_organization()));
CREATE POLICY search ON trellis.search_records FOR SELECT TO trellis_search USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.search_records TO trellis_api;
GRANT SELECT ON trellis.search_records TO trellis_search;

CREATE TABLE trellis.sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  device text NOT NULL,
  authenticated_at timestamp(3) with time zone NOT NULL,
  methods text[] NOT NULL,
  multi_factor boolean NOT NULL,
  last_used_at timestamp(3) with time zone NOT NULL,
  idle_seconds integer NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT sessions_secret UNIQUE (secret_hash),
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id),
  CONSTRAINT sessions_device_check CHECK ((char_length(device) <= 200)),
  CONSTRAINT sessions_idle_seconds_check CHECK ((idle_seconds > 0)),
  CONSTRAINT sessions_methods CHECK (((methods <@ ARRAY['PASSWORD'::text, 'TOTP'::text, 'RECOVERY_CODE'::text, 'PASSKEY'::text, 'EXTERNAL'::text, 'LINK'::text]) AND (cardinality(methods) > 0))),
  CONSTRAINT sessions_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
ALTER TABLE trellis.sessions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX sessions_expires_at ON trellis.sessions USING btree (expires_at);
CREATE INDEX sessions_user ON trellis.sessions USING btree (user_id);
CREATE POLICY auth ON trellis.sessions FOR ALL TO trellis_auth USING (true) WITH CHECK (true);
CREATE POLICY backup ON trellis.sessions FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.sessions TO trellis_auth;

CREATE TABLE trellis.sign_in_challenges (
  secret_hash bytea NOT NULL,
  kind text NOT NULL,
  user_id uuid,
  data jsonb NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT sign_in_challenges_pkey PRIMARY KEY (secret_hash),
  CONSTRAINT sign_in_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id),
  CONSTRAINT sign_in_challenges_kind CHECK ((kind = ANY (ARRAY['SECOND_FACTOR'::text, 'PASSKEY_SIGN_IN'::text, 'PASSKEY_ENROLMENT'::text, 'TOTP_ENROLMENT'::text, 'EXTERNAL'::text]))),
  CONSTRAINT sign_in_challenges_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
ALTER TABLE trellis.sign_in_challenges ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX sign_in_challenges_expires_at ON trellis.sign_in_challenges USING btree (expires_at);
CREATE INDEX sign_in_challenges_user ON trellis.sign_in_challenges USING btree (user_id);
CREATE POLICY auth ON trellis.sign_in_challenges FOR ALL TO trellis_auth USING (true) WITH CHECK (true);
CREATE POLICY backup ON trellis.sign_in_challenges FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.sign_in_challenges TO trellis_auth;

CREATE TABLE trellis.sign_in_delays (
  subject bytea NOT NULL,
  failures integer NOT NULL,
  blocked_until timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT sign_in_delays_pkey PRIMARY KEY (subject),
  CONSTRAINT sign_in_delays_failures_check CHECK ((failures > 0)),
  CONSTRAINT sign_in_delays_subject_check CHECK ((octet_length(subject) = 32))
);
ALTER TABLE trellis.sign_in_delays ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX sign_in_delays_updated_at ON trellis.sign_in_delays USING btree (updated_at);
CREATE POLICY auth ON trellis.sign_in_delays FOR ALL TO trellis_auth USING (true) WITH CHECK (true);
CREATE POLICY backup ON trellis.sign_in_delays FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.sign_in_delays TO trellis_auth;

CREATE TABLE trellis.sign_in_links (
  id uuid NOT NULL,
  kind text NOT NULL,
  user_id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT sign_in_links_secret UNIQUE (secret_hash),
  CONSTRAINT sign_in_links_pkey PRIMARY KEY (id),
  CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id),
  CONSTRAINT sign_in_links_kind CHECK ((kind = ANY (ARRAY['FIRST_START'::text, 'SIGN_IN'::text, 'RESET'::text]))),
  CONSTRAINT sign_in_links_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
ALTER TABLE trellis.sign_in_links ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX sign_in_links_expires_at ON trellis.sign_in_links USING btree (expires_at);
CREATE INDEX sign_in_links_user ON trellis.sign_in_links USING btree (user_id);
CREATE POLICY auth ON trellis.sign_in_links FOR ALL TO trellis_auth USING (true) WITH CHECK (true);
CREATE POLICY backup ON trellis.sign_in_links FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.sign_in_links TO trellis_auth;

CREATE TABLE trellis.sites (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  key text NOT NULL,
  default_locale text NOT NULL,
  domains json NOT NULL,
  timezone text NOT NULL,
  import_id text,
  CONSTRAINT sites_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT sites_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id)
);
ALTER TABLE trellis.sites ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX sites_created_at ON trellis.sites USING btree (organization_id, created_at, id);
CREATE UNIQUE INDEX sites_external_id ON trellis.sites USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX sites_import ON trellis.sites USING btree (organization_id, import_id, created_at, id) WHERE (import_id IS NOT NULL);
CREATE UNIQUE INDEX sites_key ON trellis.sites USING btree (organization_id, key);
CREATE INDEX sites_name ON trellis.sites USING btree (organization_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX sites_updated_at ON trellis.sites USING btree (organization_id, updated_at, id);
CREATE POLICY backup ON trellis.sites FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.sites FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.sites FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.sites TO trellis_api;

CREATE TABLE trellis.tags (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  slug text NOT NULL,
  color text,
  import_id text,
  CONSTRAINT tags_pkey PRIMARY KEY (organization_id, site_id, id),
  CONSTRAINT tags_organization_id_site_id_fkey FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites(organization_id, id)
);
ALTER TABLE trellis.tags ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX tags_created_at ON trellis.tags USING btree (organization_id, site_id, created_at, id);
CREATE UNIQUE INDEX tags_external_id ON trellis.tags USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX tags_import ON trellis.tags USING btree (organization_id, site_id, import_id, created_at, id) WHERE (import_id IS NOT NULL);
CREATE INDEX tags_name ON trellis.tags USING btree (organization_id, site_id, name COLLATE trellis.alphabetical, id);
CREATE UNIQUE INDEX tags_slug ON trellis.tags USING btree (organization_id, site_id, slug);
CREATE INDEX tags_updated_at ON trellis.tags USING btree (organization_id, site_id, updated_at, id);
CREATE POLICY backup ON trellis.tags FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.tags FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.tags FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.tags TO trellis_api;

CREATE TABLE trellis.timers (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  record_id uuid NOT NULL,
  parent_id uuid,
  due_at timestamp(3) with time zone NOT NULL,
  available_at timestamp(3) with time zone NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT timers_pkey PRIMARY KEY (organization_id, kind, record_id),
  CONSTRAINT timers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT timers_kind_check CHECK ((kind = ANY (ARRAY['ARTICLE_PUBLISH'::text, 'ARTICLE_UNPUBLISH'::text, 'FILE_EXPIRE'::text])))
);
ALTER TABLE trellis.timers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX timers_articles ON trellis.timers USING btree (available_at) WHERE (kind <> 'FILE_EXPIRE'::text);
CREATE INDEX timers_files ON trellis.timers USING btree (available_at) WHERE (kind = 'FILE_EXPIRE'::text);
CREATE POLICY backup ON trellis.timers FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.timers FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.timers FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.timers FOR ALL TO trellis_worker USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.timers TO trellis_api;
GRANT DELETE, SELECT ON trellis.timers TO trellis_worker;
GRANT UPDATE (available_at, attempts) ON trellis.timers TO trellis_worker;

CREATE TABLE trellis.tokens (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  client_id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  resources text[] NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  session_id uuid,
  idle_seconds integer,
  authenticated_at timestamp(3) with time zone,
  sign_in_methods text[],
  multi_factor boolean,
  name text NOT NULL DEFAULT 'Token'::text,
  start text,
  device text,
  lifetime_days integer NOT NULL DEFAULT 90,
  never_expires boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  deletions integer NOT NULL DEFAULT 0,
  deletions_since timestamp(3) with time zone,
  drafts_only boolean NOT NULL DEFAULT false,
  CONSTRAINT tokens_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT tokens_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES trellis.clients(organization_id, id),
  CONSTRAINT tokens_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id),
  CONSTRAINT tokens_deletions CHECK ((deletions <= 100)),
  CONSTRAINT tokens_device_check CHECK ((char_length(device) <= 200)),
  CONSTRAINT tokens_drafts_only CHECK (((session_id IS NOT NULL) OR (NOT drafts_only))),
  CONSTRAINT tokens_idle_seconds_check CHECK ((idle_seconds > 0)),
  CONSTRAINT tokens_lifetime_days_check CHECK (((lifetime_days >= 1) AND (lifetime_days <= 365))),
  CONSTRAINT tokens_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  CONSTRAINT tokens_resources_check CHECK ((cardinality(resources) > 0)),
  CONSTRAINT tokens_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
  CONSTRAINT tokens_session CHECK ((num_nonnulls(session_id, idle_seconds, authenticated_at, sign_in_methods, multi_factor) = ANY (ARRAY[0, 5]))),
  CONSTRAINT tokens_start_check CHECK ((char_length(start) = 12))
);
ALTER TABLE trellis.tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX tokens_client ON trellis.tokens USING btree (organization_id, client_id);
CREATE INDEX tokens_created_at ON trellis.tokens USING btree (organization_id, created_at, id) WHERE (revoked_at IS NULL);
CREATE INDEX tokens_secret_hash ON trellis.tokens USING btree (secret_hash);
CREATE UNIQUE INDEX tokens_session_drafts ON trellis.tokens USING btree (organization_id, session_id, drafts_only) WHERE (session_id IS NOT NULL);
CREATE INDEX tokens_session_id ON trellis.tokens USING btree (session_id) WHERE (session_id IS NOT NULL);
CREATE INDEX tokens_sessions ON trellis.tokens USING btree (organization_id, created_at, id) WHERE ((session_id IS NOT NULL) AND (revoked_at IS NULL));
CREATE INDEX tokens_user ON trellis.tokens USING btree (organization_id, user_id);
CREATE POLICY auth ON trellis.tokens FOR ALL TO trellis_auth USING ((session_id IS NOT NULL)) WITH CHECK ((session_id IS NOT NULL));
CREATE POLICY auth_claims ON trellis.tokens FOR UPDATE TO trellis_auth USING (((EXISTS ( SELECT
   FROM trellis.users u
  WHERE ((u.id = tokens.user_id) AND (NOT u.address_proven)))) OR (EXISTS ( SELECT
   FROM trellis.users u
  WHERE ((u.id = tokens.created_by) AND (NOT u.address_proven)))))) WITH CHECK ((revoked_at IS NOT NULL));
CREATE POLICY auth_reads_to_claim ON trellis.tokens FOR SELECT TO trellis_auth USING (((EXISTS ( SELECT
   FROM trellis.users u
  WHERE ((u.id = tokens.user_id) AND (NOT u.address_proven)))) OR (EXISTS ( SELECT
   FROM trellis.users u
  WHERE ((u.id = tokens.created_by) AND (NOT u.address_proven))))));
CREATE POLICY backup ON trellis.tokens FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.tokens FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization_deletes_ended ON trellis.tokens FOR DELETE TO trellis_api USING (((organization_id = trellis.current_organization()) AND ((revoked_at IS NOT NULL) OR ((session_id IS NOT NULL) AND (expires_at <= now())))));
CREATE POLICY organization_inserts ON trellis.tokens FOR INSERT TO trellis_api WITH CHECK ((organization_id = trellis.current_organization()));
CREATE POLICY organization_reads ON trellis.tokens FOR SELECT TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY organization_updates ON trellis.tokens FOR UPDATE TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY presented ON trellis.tokens FOR SELECT TO trellis_api USING ((secret_hash = decode(NULLIF(current_setting('trellis.token_hash'::text, true), ''::text), 'hex'::text)));
CREATE POLICY worker ON trellis.tokens FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON trellis.tokens TO trellis_api;
GRANT DELETE, INSERT, SELECT ON trellis.tokens TO trellis_auth;
GRANT INSERT, SELECT, UPDATE ON trellis.tokens TO trellis_worker;
GRANT UPDATE (expires_at, revoked_at, last_used_at, name, version, updated_at, updated_by, deletions, deletions_since) ON trellis.tokens TO trellis_api;
GRANT UPDATE (secret_hash, revoked_at, last_used_at, authenticated_at, sign_in_methods, multi_factor, version) ON trellis.tokens TO trellis_auth;

CREATE TABLE trellis.totp_secrets (
  user_id uuid NOT NULL,
  sealed_secret text NOT NULL,
  last_step bigint NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT totp_secrets_pkey PRIMARY KEY (user_id),
  CONSTRAINT totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id)
);
ALTER TABLE trellis.totp_secrets ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.totp_secrets FOR ALL TO trellis_auth USING (true) WITH CHECK (true);
CREATE POLICY backup ON trellis.totp_secrets FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.totp_secrets TO trellis_auth;

CREATE TABLE trellis.trash (
  organization_id uuid NOT NULL,
  resource text NOT NULL,
  id uuid NOT NULL,
  parent_id uuid,
  title text NOT NULL,
  created_by uuid,
  deleted_by uuid,
  deleted_at timestamp(3) with time zone NOT NULL,
  purge_at timestamp(3) with time zone NOT NULL,
  readers text[],
  sha256 text,
  payload text NOT NULL,
  CONSTRAINT trash_pkey PRIMARY KEY (organization_id, resource, id),
  CONSTRAINT trash_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id)
);
ALTER TABLE trellis.trash ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX trash_created_by ON trellis.trash USING btree (organization_id, resource, created_by, deleted_at, id);
CREATE INDEX trash_deleted_at ON trellis.trash USING btree (organization_id, resource, deleted_at, id);
CREATE INDEX trash_purge_at ON trellis.trash USING btree (purge_at);
CREATE INDEX trash_sha256 ON trellis.trash USING btree (organization_id, sha256) WHERE (sha256 IS NOT NULL);
CREATE POLICY backup ON trellis.trash FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.trash FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.trash FOR ALL TO trellis_api USING (((organization_id = trellis.current_organization()) AND (trellis.may_read(readers, ( SELECT trellis.current_readers() AS current_readers)) OR ( SELECT trellis.sees_all_files() AS sees_all_files)))) WITH CHECK ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.trash FOR SELECT TO trellis_worker USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.trash TO trellis_api;
GRANT SELECT (organization_id, resource, id, parent_id, purge_at) ON trellis.trash TO trellis_worker;

CREATE TABLE trellis.trash_versions (
  organization_id uuid NOT NULL,
  resource text NOT NULL,
  record_id uuid NOT NULL,
  number integer NOT NULL,
  payload text NOT NULL,
  CONSTRAINT trash_versions_pkey PRIMARY KEY (organization_id, resource, record_id, number)
);
ALTER TABLE trellis.trash_versions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.trash_versions FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.trash_versions FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.trash_versions FOR ALL TO trellis_api USING (((organization_id = trellis.current_organization()) AND (EXISTS ( SELECT
   FROM trellis.trash t
  WHERE ((t.organization_id = trash_versions.organization_id) AND (t.resource = trash_versions.resource) AND (t.id = trash_versions.record_id)))))) WITH CHECK ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.trash_versions TO trellis_api;

CREATE TABLE trellis.users (
  id uuid NOT NULL,
  email text,
  email_normalized text,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'ACTIVE'::text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  has_mfa boolean NOT NULL DEFAULT false,
  address_proven boolean NOT NULL DEFAULT true,
  service_of uuid,
  CONSTRAINT users_email UNIQUE (email_normalized),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_service_of_fkey FOREIGN KEY (service_of) REFERENCES trellis.organizations(id),
  CONSTRAINT users_address CHECK ((num_nulls(email, email_normalized) =
CASE
    WHEN (service_of IS NULL) THEN 0
    ELSE 2
END)),
  CONSTRAINT users_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text])))
);
ALTER TABLE trellis.users ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.users FOR SELECT TO trellis_auth USING ((email IS NOT NULL));
CREATE POLICY auth_accounts ON trellis.users FOR INSERT TO trellis_auth WITH CHECK (true);
CREATE POLICY auth_factors ON trellis.users FOR UPDATE TO trellis_auth USING (true) WITH CHECK (true);
CREATE POLICY backup ON trellis.users FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.users FOR INSERT TO trellis_owner WITH CHECK ((COALESCE(service_of, (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid) = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY members ON trellis.users FOR SELECT TO trellis_api USING ((EXISTS ( SELECT
   FROM trellis.memberships m
  WHERE ((m.organization_id = trellis.current_organization()) AND (m.user_id = users.id)))));
CREATE POLICY service_members_made ON trellis.users FOR INSERT TO trellis_api WITH CHECK ((service_of = trellis.current_organization()));
CREATE POLICY service_members_named ON trellis.users FOR UPDATE TO trellis_api USING ((service_of = trellis.current_organization()));
CREATE POLICY worker ON trellis.users FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE ON trellis.users TO trellis_worker;
GRANT INSERT (id, name, service_of) ON trellis.users TO trellis_api;
GRANT SELECT (id, email, name, status, has_mfa, service_of) ON trellis.users TO trellis_api;
GRANT UPDATE (name, updated_at) ON trellis.users TO trellis_api;
GRANT INSERT (id, email, email_normalized, name, address_proven) ON trellis.users TO trellis_auth;
GRANT SELECT (id, email, email_normalized, name, status, address_proven) ON trellis.users TO trellis_auth;
GRANT UPDATE (status, has_mfa, address_proven) ON trellis.users TO trellis_auth;

CREATE TABLE trellis.views (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  name text NOT NULL,
  resource text NOT NULL,
  query text NOT NULL,
  columns json NOT NULL,
  shared boolean NOT NULL,
  owner_user_id uuid NOT NULL,
  readers text[] NOT NULL GENERATED 
CASE
    WHEN shared THEN ARRAY[(owner_user_id)::text, 'OWNER'::text, 'ADMIN'::text, 'EDITOR'::text, 'AUTHOR'::text, 'VIEWER'::text, ('read:'::text || resource)]
    ELSE ARRAY[(owner_user_id)::text]
END,
  private_to uuid GENERATED 
CASE
    WHEN (NOT shared) THEN owner_user_id
    ELSE NULL::uuid
END,
  layout text NOT NULL DEFAULT 'TABLE'::text,
  CONSTRAINT views_name UNIQUE NULLS NOT DISTINCT (organization_id, resource, shared, private_to, name),
  CONSTRAINT views_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT views_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id)
);
ALTER TABLE trellis.views ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX views_created_at ON trellis.views USING btree (organization_id, created_at, id);
CREATE INDEX views_owner ON trellis.views USING btree (organization_id, owner_user_id, created_at, id);
CREATE INDEX views_resource ON trellis.views USING btree (organization_id, resource, created_at, id);
CREATE INDEX views_title ON trellis.views USING btree (organization_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX views_updated_at ON trellis.views USING btree (organization_id, updated_at, id);
CREATE POLICY backup ON trellis.views FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.views FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.views FOR ALL TO trellis_api USING (((organization_id = trellis.current_organization()) AND (trellis.may_read(readers, ( SELECT trellis.current_readers() AS current_readers)) OR ( SELECT trellis.sees_all_files() AS sees_all_files)))) WITH CHECK ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.views TO trellis_api;

CREATE TABLE trellis.visitors (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  site_id uuid NOT NULL,
  version integer NOT NULL,
  signals_hash bytea,
  transient boolean NOT NULL,
  first_seen_at timestamp(3) with time zone NOT NULL,
  last_seen_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT visitors_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT visitors_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT visitors_signals_hash_check CHECK ((octet_length(signals_hash) = 32)),
  CONSTRAINT visitors_transient_unrecognizable CHECK (((NOT transient) OR (signals_hash IS NULL)))
);
ALTER TABLE trellis.visitors ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX visitors_expires_at ON trellis.visitors USING btree (expires_at);
CREATE INDEX visitors_seen ON trellis.visitors USING btree (organization_id, site_id, last_seen_at DESC, id DESC) WHERE (NOT transient);
CREATE INDEX visitors_signals ON trellis.visitors USING btree (organization_id, site_id, signals_hash, last_seen_at) WHERE (signals_hash IS NOT NULL);
CREATE POLICY backup ON trellis.visitors FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.visitors FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.visitors FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker_deletes ON trellis.visitors FOR DELETE TO trellis_worker USING (true);
CREATE POLICY worker_reads ON trellis.visitors FOR SELECT TO trellis_worker USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.visitors TO trellis_api;
GRANT DELETE ON trellis.visitors TO trellis_worker;
GRANT SELECT (organization_id, id, expires_at) ON trellis.visitors TO trellis_worker;

CREATE TABLE trellis.webhook_attempts (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  number integer NOT NULL,
  attempted_at timestamp(3) with time zone NOT NULL,
  status integer,
  latency_ms integer NOT NULL,
  response text NOT NULL,
  error text,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (organization_id, endpoint_id, event_id, number),
  CONSTRAINT webhook_attempts_organization_id_endpoint_id_event_id_fkey FOREIGN KEY (organization_id, endpoint_id, event_id) REFERENCES trellis.webhook_deliveries(organization_id, endpoint_id, event_id) ON DELETE CASCADE
);
ALTER TABLE trellis.webhook_attempts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY backup ON trellis.webhook_attempts FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.webhook_attempts FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.webhook_attempts FOR SELECT TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.webhook_attempts FOR ALL TO trellis_worker USING (true);
GRANT SELECT ON trellis.webhook_attempts TO trellis_api;
GRANT DELETE, INSERT, SELECT ON trellis.webhook_attempts TO trellis_worker;
GRANT UPDATE (response) ON trellis.webhook_attempts TO trellis_worker;

CREATE TABLE trellis.webhook_deliveries (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  type text NOT NULL,
  event json NOT NULL,
  readers text[],
  status text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  failed_attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp(3) with time zone NOT NULL,
  leased_until timestamp(3) with time zone,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (organization_id, endpoint_id, event_id),
  CONSTRAINT webhook_deliveries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'SUCCEEDED'::text, 'FAILED'::text])))
);
ALTER TABLE trellis.webhook_deliveries ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX webhook_deliveries_created_at ON trellis.webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_due ON trellis.webhook_deliveries USING btree (organization_id, endpoint_id, next_attempt_at) WHERE (status = 'PENDING'::text);
CREATE INDEX webhook_deliveries_leased ON trellis.webhook_deliveries USING btree (organization_id, endpoint_id, leased_until) WHERE (leased_until IS NOT NULL);
CREATE INDEX webhook_deliveries_newest ON trellis.webhook_deliveries USING btree (organization_id, endpoint_id, created_at, event_id);
CREATE INDEX webhook_deliveries_subject ON trellis.webhook_deliveries USING btree (organization_id, ((event ->> 'subjectId'::text)));
CREATE INDEX webhook_deliveries_tests ON trellis.webhook_deliveries USING btree (organization_id, endpoint_id, next_attempt_at) WHERE ((status = 'PENDING'::text) AND (type = 'webhook.test'::text));
CREATE INDEX webhook_deliveries_unsettled ON trellis.webhook_deliveries USING btree (organization_id, endpoint_id, status, created_at, event_id) WHERE (status <> 'SUCCEEDED'::text);
CREATE POLICY backup ON trellis.webhook_deliveries FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.webhook_deliveries FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.webhook_deliveries FOR ALL TO trellis_api USING (((organization_id = trellis.current_organization()) AND trellis.may_read(readers, ( SELECT trellis.current_readers() AS current_readers))));
CREATE POLICY worker ON trellis.webhook_deliveries FOR ALL TO trellis_worker USING (true);
GRANT INSERT, SELECT ON trellis.webhook_deliveries TO trellis_api;
GRANT DELETE, INSERT, SELECT ON trellis.webhook_deliveries TO trellis_worker;
GRANT UPDATE (status, failed_attempts, next_attempt_at) ON trellis.webhook_deliveries TO trellis_api;
GRANT UPDATE (status, attempts, failed_attempts, next_attempt_at, leased_until) ON trellis.webhook_deliveries TO trellis_worker;

CREATE TABLE trellis.webhook_endpoints (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  url text NOT NULL,
  event_types json NOT NULL,
  payload text NOT NULL,
  description text,
  status text NOT NULL,
  disabled_reason text,
  secret_rotated_at timestamp(3) with time zone,
  import_id text,
  site_ids uuid[],
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT webhook_endpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT webhook_endpoints_check CHECK (((disabled_reason IS NULL) OR (status = 'DISABLED'::text))),
  CONSTRAINT webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['GONE'::text, 'FAILING'::text, 'CLAIMED'::text]))),
  CONSTRAINT webhook_endpoints_payload_check CHECK ((payload = ANY (ARRAY['THIN'::text, 'FULL'::text]))),
  CONSTRAINT webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['ENABLED'::text, 'DISABLED'::text])))
);
ALTER TABLE trellis.webhook_endpoints ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX webhook_endpoints_created_at ON trellis.webhook_endpoints USING btree (organization_id, created_at, id);
CREATE UNIQUE INDEX webhook_endpoints_external_id ON trellis.webhook_endpoints USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX webhook_endpoints_import ON trellis.webhook_endpoints USING btree (organization_id, import_id, created_at, id) WHERE (import_id IS NOT NULL);
CREATE INDEX webhook_endpoints_updated_at ON trellis.webhook_endpoints USING btree (organization_id, updated_at, id);
CREATE INDEX webhook_endpoints_url ON trellis.webhook_endpoints USING btree (organization_id, url COLLATE trellis.alphabetical, id);
CREATE POLICY auth_claims ON trellis.webhook_endpoints FOR UPDATE TO trellis_auth USING ((EXISTS ( SELECT
   FROM trellis.webhook_subscriptions s
  WHERE ((s.organization_id = webhook_endpoints.organization_id) AND (s.endpoint_id = webhook_endpoints.id))))) WITH CHECK ((disabled_reason = 'CLAIMED'::text));
CREATE POLICY auth_reads_to_claim ON trellis.webhook_endpoints FOR SELECT TO trellis_auth USING ((EXISTS ( SELECT
   FROM trellis.webhook_subscriptions s
  WHERE ((s.organization_id = webhook_endpoints.organization_id) AND (s.endpoint_id = webhook_endpoints.id)))));
CREATE POLICY backup ON trellis.webhook_endpoints FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.webhook_endpoints FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.webhook_endpoints FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.webhook_endpoints TO trellis_api;
GRANT SELECT (organization_id, id, version, updated_at, status, disabled_reason) ON trellis.webhook_endpoints TO trellis_auth;
GRANT UPDATE (version, updated_at, updated_by, status, disabled_reason) ON trellis.webhook_endpoints TO trellis_auth;

CREATE TABLE trellis.webhook_subscriptions (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  url text NOT NULL,
  event_types text[] NOT NULL,
  payload text NOT NULL,
  enabled boolean NOT NULL,
  acts_for uuid,
  secret text,
  previous_secret text,
  previous_secret_until timestamp(3) with time zone,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamp(3) with time zone,
  blocked_until timestamp(3) with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  site_ids uuid[],
  CONSTRAINT webhook_subscriptions_pkey PRIMARY KEY (organization_id, endpoint_id),
  CONSTRAINT webhook_subscriptions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id)
);
ALTER TABLE trellis.webhook_subscriptions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX webhook_subscriptions_acts_for ON trellis.webhook_subscriptions USING btree (acts_for);
CREATE POLICY auth_claims ON trellis.webhook_subscriptions FOR UPDATE TO trellis_auth USING ((EXISTS ( SELECT
   FROM trellis.users u
  WHERE ((u.id = webhook_subscriptions.acts_for) AND (NOT u.address_proven))))) WITH CHECK ((NOT enabled));
CREATE POLICY auth_reads_to_claim ON trellis.webhook_subscriptions FOR SELECT TO trellis_auth USING ((EXISTS ( SELECT
   FROM trellis.users u
  WHERE ((u.id = webhook_subscriptions.acts_for) AND (NOT u.address_proven)))));
CREATE POLICY backup ON trellis.webhook_subscriptions FOR SELECT TO trellis_owner USING ((current_setting('trellis.backup'::text, true) = 'on'::text));
CREATE POLICY import ON trellis.webhook_subscriptions FOR INSERT TO trellis_owner WITH CHECK ((organization_id = (NULLIF(current_setting('trellis.import'::text, true), ''::text))::uuid));
CREATE POLICY organization ON trellis.webhook_subscriptions FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.webhook_subscriptions FOR ALL TO trellis_worker USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.webhook_subscriptions TO trellis_api;
GRANT SELECT ON trellis.webhook_subscriptions TO trellis_worker;
GRANT SELECT (organization_id, endpoint_id, acts_for) ON trellis.webhook_subscriptions TO trellis_auth;
GRANT UPDATE (enabled) ON trellis.webhook_subscriptions TO trellis_auth;
GRANT UPDATE (failures, failing_since, blocked_until) ON trellis.webhook_subscriptions TO trellis_worker;

FUNCTION trellis.create_event_partitions() OWNER trellis_owner SECURITY DEFINER;
FUNCTION trellis.current_organization() OWNER trellis_owner;
FUNCTION trellis.current_readers() OWNER trellis_owner;
FUNCTION trellis.current_user_id() OWNER trellis_owner;
FUNCTION trellis.drop_event_partition(integer) OWNER trellis_owner SECURITY DEFINER;
FUNCTION trellis.filter_candidates(text,text,uuid,text[],text[],tsquery,integer) OWNER trellis_search SECURITY DEFINER;
FUNCTION trellis.filter_page(text,text,uuid,boolean,text[],text[],text,boolean,timestamp with time zone,uuid,integer) OWNER trellis_search SECURITY DEFINER;
FUNCTION trellis.find_files(text,uuid,text,text[],text,text,text,boolean,boolean,integer,real,timestamp with time zone,uuid,integer) OWNER trellis_search SECURITY DEFINER;
FUNCTION trellis.find_records(text[],text[],uuid,boolean,text,text[],text,text,boolean,boolean,integer,real,timestamp with time zone,uuid,integer) OWNER trellis_search SECURITY DEFINER;
FUNCTION trellis.find_similar(text[],text[],uuid,boolean,text,text,integer) OWNER trellis_search SECURITY DEFINER;
FUNCTION trellis.fold_text(text) OWNER trellis_owner;
FUNCTION trellis.insert_pending_keys() OWNER trellis_owner SECURITY DEFINER;
FUNCTION trellis.lock_access_of(uuid,uuid,boolean) OWNER trellis_owner;
FUNCTION trellis.match_records(text,text,uuid,boolean,text[],text[],text,integer) OWNER trellis_search SECURITY DEFINER;
FUNCTION trellis.match_words(uuid,uuid,text,boolean,text[],tsquery,integer) OWNER trellis_owner;
FUNCTION trellis.may_read(text[],text[]) OWNER trellis_owner;
FUNCTION trellis.newest_records(uuid,uuid,text,boolean,text[],timestamp with time zone,uuid,integer) OWNER trellis_owner;
FUNCTION trellis.oldest_records(uuid,uuid,text,boolean,text[],timestamp with time zone,uuid,integer) OWNER trellis_owner;
FUNCTION trellis.rank_records(text,uuid,boolean,tsquery,tsquery[],tsquery,tsquery,boolean,boolean,integer) OWNER trellis_search SECURITY DEFINER;
FUNCTION trellis.readers_of(uuid,uuid) OWNER trellis_owner;
FUNCTION trellis.require_replayed(pg_lsn) OWNER trellis_owner;
FUNCTION trellis.scoped(text,text) OWNER trellis_owner;
FUNCTION trellis.sees_all_files() OWNER trellis_owner;
