-- Sites, categories, tags and articles with their versions.
--
-- Ordered lists of ids (category_ids, tag_ids) stand on the article as arrays, in the caller's order; the link tables
-- beside them carry the foreign keys, answer "which articles use this category", and are written with them.

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
  domains jsonb NOT NULL,
  timezone text NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT sites_key UNIQUE (organization_id, key),
  CONSTRAINT sites_external_id UNIQUE (organization_id, external_id)
);
CREATE INDEX sites_created_at ON trellis.sites (organization_id, created_at, id);
CREATE INDEX sites_updated_at ON trellis.sites (organization_id, updated_at, id);
CREATE INDEX sites_name ON trellis.sites (organization_id, name, id);

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
  PRIMARY KEY (organization_id, site_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites (organization_id, id),
  CONSTRAINT categories_parent FOREIGN KEY (organization_id, site_id, parent_id)
    REFERENCES trellis.categories (organization_id, site_id, id),
  CONSTRAINT categories_slug UNIQUE (organization_id, site_id, slug),
  CONSTRAINT categories_external_id UNIQUE (organization_id, external_id),
  CHECK (parent_id <> id)
);
CREATE INDEX categories_created_at ON trellis.categories (organization_id, site_id, created_at, id);
CREATE INDEX categories_updated_at ON trellis.categories (organization_id, site_id, updated_at, id);
CREATE INDEX categories_name ON trellis.categories (organization_id, site_id, name, id);
CREATE INDEX categories_parent_id ON trellis.categories (organization_id, site_id, parent_id);

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
  PRIMARY KEY (organization_id, site_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites (organization_id, id),
  CONSTRAINT tags_slug UNIQUE (organization_id, site_id, slug),
  CONSTRAINT tags_external_id UNIQUE (organization_id, external_id)
);
CREATE INDEX tags_created_at ON trellis.tags (organization_id, site_id, created_at, id);
CREATE INDEX tags_updated_at ON trellis.tags (organization_id, site_id, updated_at, id);
CREATE INDEX tags_name ON trellis.tags (organization_id, site_id, name, id);

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
  authors jsonb NOT NULL,
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
  PRIMARY KEY (organization_id, site_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites (organization_id, id),
  CONSTRAINT articles_slug UNIQUE (organization_id, site_id, slug),
  CONSTRAINT articles_external_id UNIQUE (organization_id, external_id),
  CHECK (primary_category_id IS NULL OR primary_category_id = ANY (category_ids))
);
CREATE INDEX articles_created_at ON trellis.articles (organization_id, site_id, created_at, id);
CREATE INDEX articles_updated_at ON trellis.articles (organization_id, site_id, updated_at, id);
CREATE INDEX articles_title ON trellis.articles (organization_id, site_id, title, id);
CREATE INDEX articles_status ON trellis.articles (organization_id, site_id, status, created_at, id);

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
  seo jsonb,
  change_note text,
  scheduled_for timestamptz(3),
  unpublish_at timestamptz(3),
  status text NOT NULL CHECK (status IN
    ('DRAFT', 'IN_REVIEW', 'APPROVED', 'SCHEDULED', 'PUBLISHED', 'UNPUBLISHED', 'SUPERSEDED', 'ARCHIVED')),
  published_at timestamptz(3),
  word_count integer NOT NULL,
  PRIMARY KEY (organization_id, site_id, article_id, number),
  FOREIGN KEY (organization_id, site_id, article_id)
    REFERENCES trellis.articles (organization_id, site_id, id) ON DELETE CASCADE,
  CHECK (status <> 'SCHEDULED' OR scheduled_for IS NOT NULL)
);
-- At most one version that readers see, and at most one that editors work on.
CREATE UNIQUE INDEX article_versions_published ON trellis.article_versions (organization_id, site_id, article_id)
  WHERE status = 'PUBLISHED';
CREATE UNIQUE INDEX article_versions_working ON trellis.article_versions (organization_id, site_id, article_id)
  WHERE status IN ('DRAFT', 'IN_REVIEW', 'APPROVED', 'SCHEDULED');

CREATE TABLE trellis.article_categories (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  category_id uuid NOT NULL,
  PRIMARY KEY (organization_id, site_id, category_id, article_id),
  FOREIGN KEY (organization_id, site_id, article_id)
    REFERENCES trellis.articles (organization_id, site_id, id) ON DELETE CASCADE,
  CONSTRAINT article_categories_category FOREIGN KEY (organization_id, site_id, category_id)
    REFERENCES trellis.categories (organization_id, site_id, id)
);
CREATE INDEX article_categories_article ON trellis.article_categories (organization_id, site_id, article_id);

CREATE TABLE trellis.article_tags (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  PRIMARY KEY (organization_id, site_id, tag_id, article_id),
  FOREIGN KEY (organization_id, site_id, article_id)
    REFERENCES trellis.articles (organization_id, site_id, id) ON DELETE CASCADE,
  CONSTRAINT article_tags_tag FOREIGN KEY (organization_id, site_id, tag_id)
    REFERENCES trellis.tags (organization_id, site_id, id)
);
CREATE INDEX article_tags_article ON trellis.article_tags (organization_id, site_id, article_id);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['sites', 'categories', 'tags', 'articles', 'article_versions', 'article_categories', 'article_tags']
  LOOP
    EXECUTE format('ALTER TABLE trellis.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organization ON trellis.%I TO trellis_api '
      'USING (organization_id = trellis.current_organization())', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.%I TO trellis_api', name);
  END LOOP;
END $$;
