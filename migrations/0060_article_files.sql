-- Which knowledge files the text of a version of an article mentions, by their ids. It is asked before a file is replaced or deleted.
-- See docs/decisions/0096-library-of-pictures.md.
CREATE TABLE trellis.article_files (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  number integer NOT NULL,
  -- As it stands in the text, whether or not there is such a file: `kf_…`.
  file text NOT NULL,
  PRIMARY KEY (organization_id, file, site_id, article_id, number),
  FOREIGN KEY (organization_id, site_id, article_id, number)
    REFERENCES trellis.article_versions (organization_id, site_id, article_id, number) ON DELETE CASCADE
);
CREATE INDEX article_files_version ON trellis.article_files (organization_id, site_id, article_id, number);

ALTER TABLE trellis.article_files ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.article_files TO trellis_api
  USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, DELETE ON trellis.article_files TO trellis_api;

-- Pictures among many other files.
CREATE INDEX knowledge_files_pictures ON trellis.knowledge_files (organization_id, (picture_path IS NOT NULL), created_at, id);

-- The next migration reads the texts that are there, while they can be changed.
CREATE POLICY filling ON trellis.article_versions FOR SELECT TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.article_files FOR INSERT TO trellis_owner WITH CHECK (true);
