-- Long texts are indexed in the transaction of their write; the words of short ones are no longer beside them. What the previous
-- release leaves to the indexer is written as a whole. See docs/decisions/0099-words-with-the-record.md.
--
-- `source` and `short_terms` of search_bodies are for nodes of the previous release only.

-- The indexer inserts the keys that wait four times a second. A list gets this long only if there is none.
ALTER INDEX trellis.search_records_words SET (gin_pending_list_limit = 4096);
ALTER INDEX trellis.search_texts_grams SET (gin_pending_list_limit = 4096);
ALTER INDEX trellis.search_bodies_words SET (gin_pending_list_limit = 16384);

-- Sentences are found by words; any part is found of names, titles, numbers and addresses.
CREATE POLICY filling ON trellis.search_texts TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.search_records TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.search_marks TO trellis_owner USING (true);
DELETE FROM trellis.search_texts
  WHERE part = 2 AND type IN ('category', 'knowledge-file', 'webhook-endpoint');
INSERT INTO trellis.search_marks
    (organization_id, type, record_id, parent_id, number, editions, whole, available_at, attempts)
  SELECT DISTINCT s.organization_id, s.type, s.record_id, s.parent_id, 1, '{}'::integer[], true, statement_timestamp(), 0
  FROM trellis.search_records s
  JOIN trellis.search_texts x USING (organization_id, type, record_id, edition)
  WHERE s.type = 'article' AND x.part = 2
  ON CONFLICT (organization_id, type, record_id) DO UPDATE SET number = search_marks.number + 1, whole = true;
DROP POLICY filling ON trellis.search_texts;
DROP POLICY filling ON trellis.search_records;
DROP POLICY filling ON trellis.search_marks;

DROP POLICY IF EXISTS search ON trellis.search_marks;
REVOKE SELECT ON trellis.search_marks FROM trellis_search;
DROP INDEX IF EXISTS trellis.search_marks_changed;

-- The search of releases before 0017, which none that can run beside this one uses.
DROP FUNCTION IF EXISTS trellis.search(text[], uuid, text, text, integer, real, timestamptz, uuid, integer);
DROP FUNCTION IF EXISTS trellis.search_files(uuid, text, text, integer, real, timestamptz, uuid, integer);
DROP FUNCTION IF EXISTS trellis.search_similar(text[], uuid, text, integer);
DROP FUNCTION IF EXISTS trellis.rank_entries(text[], uuid, tsquery, integer, integer);
DROP FUNCTION IF EXISTS trellis.match_terms(text[], uuid, tsquery, boolean, boolean, integer);
DROP FUNCTION IF EXISTS trellis.match_text(text, uuid, text, integer);
DROP TABLE IF EXISTS trellis.search_entries;
