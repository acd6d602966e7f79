-- Fills the table of the migration before. What nodes of the previous release change in the meantime is noted with the next change.
INSERT INTO trellis.article_files (organization_id, site_id, article_id, number, file)
  SELECT DISTINCT v.organization_id, v.site_id, v.article_id, v.number, m[1]
  FROM trellis.article_versions v, regexp_matches(v.body, 'kf_[0-9a-z]{26}', 'g') m
  WHERE v.body LIKE '%kf\_%';

DROP POLICY filling ON trellis.article_files;
DROP POLICY filling ON trellis.article_versions;
