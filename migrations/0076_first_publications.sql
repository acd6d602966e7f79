-- When an article was published for the first time; imported articles have it from where they come. The index serves the sort order and the
-- filters for a range, for which an article that was never published is older than all others.
ALTER TABLE trellis.articles ADD COLUMN first_published_at timestamptz(3);
CREATE INDEX articles_first_published_at ON trellis.articles
  (organization_id, site_id, (coalesce(first_published_at, '-infinity'::timestamptz)), id);

-- The next migration fills it in, while articles can be read and changed.
CREATE POLICY filling ON trellis.articles TO trellis_owner USING (true) WITH CHECK (true);
CREATE POLICY filling ON trellis.article_versions FOR SELECT TO trellis_owner USING (true);
