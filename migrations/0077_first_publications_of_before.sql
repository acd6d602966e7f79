-- The first publication of the versions that there are. What nodes of the previous release publish in the meantime has none before it is
-- published again.
UPDATE trellis.articles a SET first_published_at = v.first
  FROM (SELECT organization_id, site_id, article_id, min(published_at) AS first
    FROM trellis.article_versions WHERE published_at IS NOT NULL GROUP BY organization_id, site_id, article_id) v
  WHERE a.organization_id = v.organization_id AND a.site_id = v.site_id AND a.id = v.article_id AND a.first_published_at IS NULL;

DROP POLICY filling ON trellis.articles;
DROP POLICY filling ON trellis.article_versions;
