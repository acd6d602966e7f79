-- Books, magazines and their issues.

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
  -- Null when nobody has given it; search then finds its words, but not their other forms.
  language text,
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
  import_id text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT books_cover FOREIGN KEY (organization_id, cover_file_id)
    REFERENCES trellis.knowledge_files (organization_id, id),
  CHECK (trade_status <> 'FORTHCOMING' OR publication_date IS NOT NULL)
);
CREATE UNIQUE INDEX books_external_id ON trellis.books (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX books_isbn13 ON trellis.books (organization_id, isbn13) WHERE isbn13 IS NOT NULL;
CREATE INDEX books_cover ON trellis.books (organization_id, cover_file_id) WHERE cover_file_id IS NOT NULL;
CREATE INDEX books_created_at ON trellis.books (organization_id, created_at, id);
CREATE INDEX books_import ON trellis.books (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX books_status ON trellis.books (organization_id, status, created_at, id);
CREATE INDEX books_title ON trellis.books (organization_id, title COLLATE trellis.alphabetical, id);
CREATE INDEX books_updated_at ON trellis.books (organization_id, updated_at, id);
ALTER TABLE trellis.books ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.books TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.books TO trellis_api;

CREATE TABLE trellis.book_files (
  organization_id uuid NOT NULL,
  file_id uuid NOT NULL,
  book_id uuid NOT NULL,
  PRIMARY KEY (organization_id, file_id, book_id),
  CONSTRAINT book_files_file FOREIGN KEY (organization_id, file_id)
    REFERENCES trellis.knowledge_files (organization_id, id)
);
ALTER TABLE trellis.book_files ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.book_files TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.book_files TO trellis_api;

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
  language text,
  publisher text,
  website_url text,
  cover_file_id uuid,
  issn_print text CHECK (issn_print ~ '^[0-9]{4}-[0-9]{3}[0-9X]$'),
  issn_online text CHECK (issn_online ~ '^[0-9]{4}-[0-9]{3}[0-9X]$'),
  frequency text,
  start_date text,
  end_date text,
  status text NOT NULL CHECK (status IN ('PLANNED', 'ACTIVE', 'SUSPENDED', 'CEASED')),
  import_id text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT magazines_cover FOREIGN KEY (organization_id, cover_file_id)
    REFERENCES trellis.knowledge_files (organization_id, id),
  CHECK (status <> 'CEASED' OR end_date IS NOT NULL),
  CHECK (issn_print <> issn_online)
);
CREATE UNIQUE INDEX magazines_external_id ON trellis.magazines (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX magazines_cover ON trellis.magazines (organization_id, cover_file_id) WHERE cover_file_id IS NOT NULL;
CREATE INDEX magazines_created_at ON trellis.magazines (organization_id, created_at, id);
CREATE INDEX magazines_import ON trellis.magazines (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX magazines_status ON trellis.magazines (organization_id, status, created_at, id);
CREATE INDEX magazines_title ON trellis.magazines (organization_id, title COLLATE trellis.alphabetical, id);
CREATE INDEX magazines_updated_at ON trellis.magazines (organization_id, updated_at, id);
ALTER TABLE trellis.magazines ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.magazines TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.magazines TO trellis_api;

-- Both numbers of every magazine: none is used twice, be it in print or online.
CREATE TABLE trellis.magazine_issns (
  organization_id uuid NOT NULL,
  issn text NOT NULL,
  magazine_id uuid NOT NULL,
  CONSTRAINT magazine_issns_key PRIMARY KEY (organization_id, issn)
);
ALTER TABLE trellis.magazine_issns ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.magazine_issns TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.magazine_issns TO trellis_api;

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
  import_id text,
  PRIMARY KEY (organization_id, magazine_id, id),
  FOREIGN KEY (organization_id, magazine_id) REFERENCES trellis.magazines (organization_id, id),
  CONSTRAINT issues_cover FOREIGN KEY (organization_id, cover_file_id)
    REFERENCES trellis.knowledge_files (organization_id, id),
  CHECK (coalesce(title, cover_date, number) IS NOT NULL)
);
CREATE UNIQUE INDEX issues_external_id ON trellis.issues (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX issues_number ON trellis.issues (organization_id, magazine_id, year, volume, number) NULLS NOT DISTINCT;
CREATE INDEX issues_cover ON trellis.issues (organization_id, cover_file_id) WHERE cover_file_id IS NOT NULL;
CREATE INDEX issues_created_at ON trellis.issues (organization_id, magazine_id, created_at, id);
CREATE INDEX issues_import ON trellis.issues (organization_id, magazine_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX issues_status ON trellis.issues (organization_id, magazine_id, status, created_at, id);
CREATE INDEX issues_title ON trellis.issues (organization_id, magazine_id, (coalesce(title, cover_date, number) COLLATE trellis.alphabetical), id);
CREATE INDEX issues_updated_at ON trellis.issues (organization_id, magazine_id, updated_at, id);
ALTER TABLE trellis.issues ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.issues TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.issues TO trellis_api;

CREATE TABLE trellis.issue_articles (
  organization_id uuid NOT NULL,
  magazine_id uuid NOT NULL,
  issue_id uuid NOT NULL,
  article_id uuid NOT NULL,
  PRIMARY KEY (organization_id, article_id, issue_id),
  CONSTRAINT issue_articles_article FOREIGN KEY (organization_id, article_id)
    REFERENCES trellis.articles (organization_id, id)
);
ALTER TABLE trellis.issue_articles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.issue_articles TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.issue_articles TO trellis_api;

CREATE TABLE trellis.issue_files (
  organization_id uuid NOT NULL,
  magazine_id uuid NOT NULL,
  file_id uuid NOT NULL,
  issue_id uuid NOT NULL,
  PRIMARY KEY (organization_id, file_id, issue_id),
  CONSTRAINT issue_files_file FOREIGN KEY (organization_id, file_id)
    REFERENCES trellis.knowledge_files (organization_id, id)
);
ALTER TABLE trellis.issue_files ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.issue_files TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.issue_files TO trellis_api;
