-- Long texts are indexed in the transaction of their write; the words of short ones are no longer beside them. What the previous
-- release leaves to the indexer is written as a whole. See docs/decisions/0099-words-with-the-record.md.
--
-- `source` and `short_terms` of search_bodies are for nodes of the previous release only.

-- The indexer inserts the keys that wait, every two seconds or after 500 writes. A list gets this long only if there is none.
ALTER INDEX trellis.search_records_words SET (gin_pending_list_limit = 4096);
ALTER INDEX trellis.search_texts_grams SET (gin_pending_list_limit = 4096);
ALTER INDEX trellis.search_bodies_words SET (gin_pending_list_limit = 16384);

-- The functions of the previous release read the jobs until they are replaced behind the last migration: their right to it stays.
DROP INDEX IF EXISTS trellis.search_marks_changed;

-- The search of releases before 0017, which none that can run beside this one uses.
DROP FUNCTION IF EXISTS trellis.search(text[], uuid, text, text, integer, real, timestamptz, uuid, integer);
DROP FUNCTION IF EXISTS trellis.search_files(uuid, text, text, integer, real, timestamptz, uuid, integer);
DROP FUNCTION IF EXISTS trellis.search_similar(text[], uuid, text, integer);
DROP FUNCTION IF EXISTS trellis.rank_entries(text[], uuid, tsquery, integer, integer);
DROP FUNCTION IF EXISTS trellis.match_terms(text[], uuid, tsquery, boolean, boolean, integer);
DROP FUNCTION IF EXISTS trellis.match_text(text, uuid, text, integer);
DROP TABLE IF EXISTS trellis.search_entries;

-- The next migration changes rows while they are served: what locks a table is here and in the one after.
CREATE POLICY filling ON trellis.search_texts TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.article_versions FOR SELECT TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.search_marks TO trellis_owner USING (true);
