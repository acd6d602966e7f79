-- Indexes on tables that were there before, in a transaction of their own: writes of these tables wait for it.

-- Words on the pages of files: the same, under a scope of their own.
CREATE INDEX knowledge_pages_words ON trellis.knowledge_pages
  USING gin (trellis.search_keys(organization_id, organization_id, 'page', NULL, terms)) WITH (fastupdate = off);
CREATE INDEX knowledge_pages_words_beyond ON trellis.knowledge_pages
  USING gin (trellis.search_keys(organization_id, organization_id, 'page', NULL, terms)) WITH (fastupdate = off)
  WHERE beyond_entry;
DROP INDEX trellis.knowledge_pages_beyond_entry;
DROP INDEX trellis.knowledge_pages_terms;

-- Lists of published versions.
CREATE INDEX article_versions_published_title ON trellis.article_versions (organization_id, site_id, title, article_id)
  WHERE status = 'PUBLISHED';
CREATE INDEX article_versions_published_seen
  ON trellis.article_versions (organization_id, site_id, (coalesce(seen_at, updated_at)), article_id)
  WHERE status = 'PUBLISHED';

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['search_entries', 'articles', 'search_records', 'search_texts', 'search_bodies', 'search_marks']
  LOOP
    EXECUTE format('DROP POLICY filling ON trellis.%I', name);
  END LOOP;
END $$;
