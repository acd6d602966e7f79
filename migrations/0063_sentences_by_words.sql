-- Sentences are found by words; any part is found of names, titles, numbers and addresses. Beside the summary of an article, its subtitle is
-- such a text: the indexer folds it.
DELETE FROM trellis.search_texts
  WHERE part = 2 AND type IN ('category', 'knowledge-file', 'webhook-endpoint');
DELETE FROM trellis.search_texts x
  WHERE part = 2 AND type = 'article' AND NOT EXISTS (
    SELECT FROM trellis.article_versions v
    WHERE v.organization_id = x.organization_id AND v.site_id = x.parent_id AND v.article_id = x.record_id AND v.number = x.edition
      AND v.subtitle IS NOT NULL);
INSERT INTO trellis.search_marks
    (organization_id, type, record_id, parent_id, number, editions, whole, available_at, attempts)
  SELECT DISTINCT organization_id, type, record_id, parent_id, 1, '{}'::integer[], true, statement_timestamp(), 0
  FROM trellis.search_texts
  WHERE type = 'article' AND part = 2
  ON CONFLICT (organization_id, type, record_id) DO UPDATE SET number = search_marks.number + 1, whole = true;
