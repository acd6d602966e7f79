-- Books, magazines and their issues.
--
-- Lists of objects stand on the record as json, exactly as they are returned; jsonb would put their members in another
-- order. Side tables carry what must be unique, must exist, or is asked for, and are written with the record.

CREATE TABLE trellis.books (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  title text NOT NULL,
  subtitle text,
  description text,
  language text NOT NULL,
  contributors json NOT NULL,
  isbn13 text CHECK (isbn13 ~ '^97[89][0-9]{10}$'),
  isbn10 text CHECK (isbn10 ~ '^[0-9]{9}[0-9X]$'),
  doi text,
  edition text,
  series_title text,
  series_position text,
  format text CHECK (format IN ('HARDCOVER', 'PAPERBACK', 'EBOOK', 'AUDIOBOOK')),
  page_count integer,
  publisher text,
  imprint text,
  publication_date text,
  subjects json NOT NULL,
  prices json NOT NULL,
  cover_file_id uuid,
  file_ids uuid[] NOT NULL,
  status text NOT NULL CHECK (status IN ('DRAFT', 'PUBLISHED', 'UNPUBLISHED', 'ARCHIVED')),
  trade_status text CHECK (trade_status IN
    ('FORTHCOMING', 'POSTPONED', 'ACTIVE', 'OUT_OF_STOCK', 'OUT_OF_PRINT', 'WITHDRAWN', 'CANCELLED')),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT books_isbn13 UNIQUE (organization_id, isbn13),
  CONSTRAINT books_external_id UNIQUE (organization_id, external_id),
  CHECK (trade_status <> 'FORTHCOMING' OR publication_date IS NOT NULL)
);
CREATE INDEX books_created_at ON trellis.books (organization_id, created_at, id);
CREATE INDEX books_updated_at ON trellis.books (organization_id, updated_at, id);
CREATE INDEX books_title ON trellis.books (organization_id, title, id);
CREATE INDEX books_status ON trellis.books (organization_id, status, created_at, id);

CREATE TABLE trellis.magazines (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  title text NOT NULL,
  abbreviated_title text,
  description text,
  language text NOT NULL,
  publisher text,
  website_url text,
  cover_file_id uuid,
  issn_print text CHECK (issn_print ~ '^[0-9]{4}-[0-9]{3}[0-9X]$'),
  issn_online text CHECK (issn_online ~ '^[0-9]{4}-[0-9]{3}[0-9X]$'),
  frequency text,
  start_date text,
  end_date text,
  status text NOT NULL CHECK (status IN ('PLANNED', 'ACTIVE', 'SUSPENDED', 'CEASED')),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT magazines_external_id UNIQUE (organization_id, external_id),
  CHECK (status <> 'CEASED' OR end_date IS NOT NULL),
  CHECK (issn_print <> issn_online)
);
CREATE INDEX magazines_created_at ON trellis.magazines (organization_id, created_at, id);
CREATE INDEX magazines_updated_at ON trellis.magazines (organization_id, updated_at, id);
CREATE INDEX magazines_title ON trellis.magazines (organization_id, title, id);
CREATE INDEX magazines_status ON trellis.magazines (organization_id, status, created_at, id);

-- Both numbers of every magazine: none is used twice, be it in print or online.
CREATE TABLE trellis.magazine_issns (
  organization_id uuid NOT NULL,
  issn text NOT NULL,
  magazine_id uuid NOT NULL,
  CONSTRAINT magazine_issns_key PRIMARY KEY (organization_id, issn),
  FOREIGN KEY (organization_id, magazine_id) REFERENCES trellis.magazines (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX magazine_issns_magazine ON trellis.magazine_issns (organization_id, magazine_id);

CREATE TABLE trellis.issues (
  organization_id uuid NOT NULL,
  magazine_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
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
  access_status text CHECK (access_status IN ('OPEN', 'SUBSCRIPTION')),
  open_access_date text,
  contents json NOT NULL,
  status text NOT NULL CHECK (status IN ('PLANNED', 'IN_PRODUCTION', 'PUBLISHED', 'ARCHIVED')),
  PRIMARY KEY (organization_id, magazine_id, id),
  FOREIGN KEY (organization_id, magazine_id) REFERENCES trellis.magazines (organization_id, id),
  CONSTRAINT issues_number UNIQUE NULLS NOT DISTINCT (organization_id, magazine_id, year, volume, number),
  CONSTRAINT issues_external_id UNIQUE (organization_id, external_id),
  CHECK (coalesce(title, cover_date, number) IS NOT NULL)
);
CREATE INDEX issues_created_at ON trellis.issues (organization_id, magazine_id, created_at, id);
CREATE INDEX issues_updated_at ON trellis.issues (organization_id, magazine_id, updated_at, id);
CREATE INDEX issues_title ON trellis.issues (organization_id, magazine_id, coalesce(title, cover_date, number), id);
CREATE INDEX issues_status ON trellis.issues (organization_id, magazine_id, status, created_at, id);

-- An article is named by issues without its site.
ALTER TABLE trellis.articles ADD CONSTRAINT articles_id UNIQUE (organization_id, id);

CREATE TABLE trellis.issue_articles (
  organization_id uuid NOT NULL,
  magazine_id uuid NOT NULL,
  issue_id uuid NOT NULL,
  article_id uuid NOT NULL,
  PRIMARY KEY (organization_id, article_id, issue_id),
  FOREIGN KEY (organization_id, magazine_id, issue_id)
    REFERENCES trellis.issues (organization_id, magazine_id, id) ON DELETE CASCADE,
  CONSTRAINT issue_articles_article FOREIGN KEY (organization_id, article_id)
    REFERENCES trellis.articles (organization_id, id)
);
CREATE INDEX issue_articles_issue ON trellis.issue_articles (organization_id, magazine_id, issue_id);

-- The same order of members in every answer.
ALTER TABLE trellis.sites ALTER COLUMN domains TYPE json;
ALTER TABLE trellis.articles ALTER COLUMN authors TYPE json;
ALTER TABLE trellis.article_versions ALTER COLUMN seo TYPE json;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['books', 'magazines', 'magazine_issns', 'issues', 'issue_articles']
  LOOP
    EXECUTE format('ALTER TABLE trellis.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organization ON trellis.%I TO trellis_api '
      'USING (organization_id = trellis.current_organization())', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.%I TO trellis_api', name);
  END LOOP;
END $$;
