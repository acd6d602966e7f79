-- Sites, categories, tags and articles with their versions.
--
-- Ordered lists of ids (category_ids, tag_ids) stand on the article as arrays, in the caller's order; the link tables
-- beside them carry the foreign keys, say which articles use a category, and are written with them.
--
-- Lists of objects stand on records as json, exactly as they are returned; jsonb would put their members in another
-- order. Side tables carry what must be unique, must exist, or is asked for, and are written with the record.

CREATE TABLE trellis.sites (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  key text NOT NULL,
  default_locale text NOT NULL,
  domains json NOT NULL,
  timezone text NOT NULL,
  -- The import that has created the record, so that what it created can be found and undone as a whole; every resource that is
  -- imported has it. See docs/decisions/0122-imports-over-records.md.
  import_id text,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX sites_external_id ON trellis.sites (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX sites_key ON trellis.sites (organization_id, key);
CREATE INDEX sites_created_at ON trellis.sites (organization_id, created_at, id);
CREATE INDEX sites_import ON trellis.sites (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX sites_name ON trellis.sites (organization_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX sites_updated_at ON trellis.sites (organization_id, updated_at, id);
ALTER TABLE trellis.sites ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.sites TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.sites TO trellis_api;

CREATE TABLE trellis.categories (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  slug text NOT NULL,
  description text,
  parent_id uuid,
  position integer NOT NULL,
  import_id text,
  PRIMARY KEY (organization_id, site_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites (organization_id, id),
  CONSTRAINT categories_parent FOREIGN KEY (organization_id, site_id, parent_id)
    REFERENCES trellis.categories (organization_id, site_id, id),
  CHECK (parent_id <> id)
);
CREATE UNIQUE INDEX categories_external_id ON trellis.categories (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX categories_slug ON trellis.categories (organization_id, site_id, slug);
CREATE INDEX categories_created_at ON trellis.categories (organization_id, site_id, created_at, id);
CREATE INDEX categories_import ON trellis.categories (organization_id, site_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX categories_name ON trellis.categories (organization_id, site_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX categories_parent_id ON trellis.categories (organization_id, site_id, parent_id);
CREATE INDEX categories_updated_at ON trellis.categories (organization_id, site_id, updated_at, id);
ALTER TABLE trellis.categories ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.categories TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.categories TO trellis_api;

CREATE TABLE trellis.tags (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  slug text NOT NULL,
  color text,
  import_id text,
  PRIMARY KEY (organization_id, site_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites (organization_id, id)
);
CREATE UNIQUE INDEX tags_external_id ON trellis.tags (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX tags_slug ON trellis.tags (organization_id, site_id, slug);
CREATE INDEX tags_created_at ON trellis.tags (organization_id, site_id, created_at, id);
CREATE INDEX tags_import ON trellis.tags (organization_id, site_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX tags_name ON trellis.tags (organization_id, site_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX tags_updated_at ON trellis.tags (organization_id, site_id, updated_at, id);
ALTER TABLE trellis.tags ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.tags TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.tags TO trellis_api;

CREATE TABLE trellis.articles (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
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
  state text NOT NULL CHECK (state IN ('UNPUBLISHED', 'PUBLISHED', 'CHANGED', 'ARCHIVED')),
  -- The newest version: what editors see and change.
  working_version integer NOT NULL,
  published_version integer,
  schedule_error text,
  -- Of the working version, beside the state, so that lists can filter and sort without reading versions.
  title text NOT NULL,
  status text NOT NULL,
  locale text NOT NULL,
  -- When it was published for the first time; imported articles have it from where they come. For the sort order and for ranges,
  -- an article that was never published is older than all others.
  first_published_at timestamptz(3),
  import_id text,
  -- Without the site, as issues name their articles.
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites (organization_id, id),
  CHECK (primary_category_id IS NULL OR (primary_category_id = ANY (category_ids)))
);
CREATE UNIQUE INDEX articles_external_id ON trellis.articles (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX articles_slug ON trellis.articles (organization_id, site_id, slug);
CREATE INDEX articles_created_at ON trellis.articles (organization_id, site_id, created_at, id);
CREATE INDEX articles_first_published_at ON trellis.articles (organization_id, site_id, coalesce(first_published_at, '-infinity'), id);
CREATE INDEX articles_import ON trellis.articles (organization_id, site_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX articles_schedule_failed ON trellis.articles (organization_id, updated_at, id) WHERE schedule_error IS NOT NULL;
CREATE INDEX articles_status ON trellis.articles (organization_id, site_id, status, created_at, id);
CREATE INDEX articles_title ON trellis.articles (organization_id, site_id, title COLLATE trellis.alphabetical, id);
CREATE INDEX articles_updated_at ON trellis.articles (organization_id, site_id, updated_at, id);
-- What waits for somebody is read across the sites of an organization. The indexes hold only articles that wait, so that most writes
-- do not touch them.
CREATE INDEX articles_waiting ON trellis.articles (organization_id, status, updated_at, id) WHERE status IN ('DRAFT', 'IN_REVIEW');
ALTER TABLE trellis.articles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.articles TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.articles TO trellis_api;

CREATE TABLE trellis.article_versions (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  number integer NOT NULL CHECK (number >= 1),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
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
  scheduled_for timestamptz(3),
  unpublish_at timestamptz(3),
  status text NOT NULL CHECK (status IN
    ('DRAFT', 'IN_REVIEW', 'APPROVED', 'SCHEDULED', 'PUBLISHED', 'UNPUBLISHED', 'SUPERSEDED', 'ARCHIVED')),
  published_at timestamptz(3),
  word_count integer NOT NULL,
  -- When what readers see of the article last changed, of the published version; NULL: when the version itself did.
  seen_at timestamptz(3),
  -- Rounds of a review: a version that was submitted stays as it is, and the version after one that was sent back says why.
  submitted_at timestamptz(3),
  submitted_by uuid,
  returned_at timestamptz(3),
  returned_by uuid,
  return_note text,
  PRIMARY KEY (organization_id, site_id, article_id, number),
  CONSTRAINT article_versions_cover FOREIGN KEY (organization_id, cover_file_id)
    REFERENCES trellis.knowledge_files (organization_id, id),
  CHECK (status <> 'SCHEDULED' OR scheduled_for IS NOT NULL)
);
CREATE INDEX article_versions_cover ON trellis.article_versions (organization_id, cover_file_id)
  WHERE cover_file_id IS NOT NULL;
-- At most one version that readers see.
CREATE UNIQUE INDEX article_versions_published ON trellis.article_versions (organization_id, site_id, article_id)
  WHERE status = 'PUBLISHED';
-- What was published lately, across the sites of an organization.
CREATE INDEX article_versions_published_at ON trellis.article_versions (organization_id, published_at DESC, article_id)
  WHERE status = 'PUBLISHED';
CREATE INDEX article_versions_published_seen ON trellis.article_versions (organization_id, site_id, coalesce(seen_at, updated_at), article_id)
  WHERE status = 'PUBLISHED';
-- Lists of published versions.
CREATE INDEX article_versions_published_title ON trellis.article_versions (organization_id, site_id, title COLLATE trellis.alphabetical, article_id)
  WHERE status = 'PUBLISHED';
CREATE INDEX article_versions_scheduled ON trellis.article_versions (organization_id, scheduled_for, article_id)
  WHERE status = 'SCHEDULED';
ALTER TABLE trellis.article_versions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.article_versions TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.article_versions TO trellis_api;

CREATE TABLE trellis.article_categories (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  category_id uuid NOT NULL,
  PRIMARY KEY (organization_id, site_id, category_id, article_id),
  CONSTRAINT article_categories_category FOREIGN KEY (organization_id, site_id, category_id)
    REFERENCES trellis.categories (organization_id, site_id, id)
);
ALTER TABLE trellis.article_categories ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.article_categories TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.article_categories TO trellis_api;

CREATE TABLE trellis.article_tags (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  PRIMARY KEY (organization_id, site_id, tag_id, article_id),
  CONSTRAINT article_tags_tag FOREIGN KEY (organization_id, site_id, tag_id)
    REFERENCES trellis.tags (organization_id, site_id, id)
);
ALTER TABLE trellis.article_tags ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.article_tags TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.article_tags TO trellis_api;

-- Which knowledge files the text of a version of an article mentions, by their ids. It is asked before a file is replaced or deleted.
-- See docs/decisions/0096-library-of-pictures.md.
CREATE TABLE trellis.article_files (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  number integer NOT NULL,
  -- As it stands in the text, whether or not there is such a file: `kf_…`.
  file text NOT NULL,
  PRIMARY KEY (organization_id, file, site_id, article_id, number)
);
CREATE INDEX article_files_version ON trellis.article_files (organization_id, site_id, article_id, number);
ALTER TABLE trellis.article_files ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.article_files TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, DELETE ON trellis.article_files TO trellis_api;
