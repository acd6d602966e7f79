-- Longer lists of keys that wait to be inserted into the search indexes: the more rows they hold, the fewer pages are changed for
-- each. The indexer empties them when there is nothing else to do. See docs/decisions/0054-pending-keys.md.
ALTER INDEX trellis.search_records_words SET (gin_pending_list_limit = 1024);
ALTER INDEX trellis.search_texts_grams SET (gin_pending_list_limit = 1024);
ALTER INDEX trellis.search_bodies_words SET (gin_pending_list_limit = 4096);
