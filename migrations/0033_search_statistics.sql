-- No statistics of what is searched. ANALYZE would make the keys of up to 30,000 rows and count their words, 17 s of processor time
-- for bodies of 4 KB, each time that a tenth of the rows has changed; and no plan uses them, because what is searched for is a
-- parameter. See docs/decisions/0054-pending-keys.md.
ALTER TABLE trellis.search_records ALTER COLUMN terms SET STATISTICS 0;
ALTER TABLE trellis.search_texts ALTER COLUMN folded SET STATISTICS 0;
ALTER TABLE trellis.search_bodies ALTER COLUMN terms SET STATISTICS 0, ALTER COLUMN short_terms SET STATISTICS 0;
ALTER TABLE trellis.knowledge_pages ALTER COLUMN terms SET STATISTICS 0;
ALTER INDEX trellis.search_records_words ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX trellis.search_texts_grams ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX trellis.search_bodies_words ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX trellis.knowledge_pages_words ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX trellis.knowledge_pages_words_beyond ALTER COLUMN 1 SET STATISTICS 0;
