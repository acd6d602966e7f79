-- What a write costs beyond its record: index keys and the stored answer. See docs/decisions/0041-costs-of-writes.md.

-- New keys wait in a list until there are as many as are worth inserting together, sorted: most pages are then changed once
-- for many rows. Every search reads the lists, so they are short.
ALTER INDEX trellis.search_records_words SET (fastupdate = on, gin_pending_list_limit = 256);
ALTER INDEX trellis.search_texts_grams SET (fastupdate = on, gin_pending_list_limit = 256);
-- Written by the indexer alone: nobody waits when it is its turn to insert them.
ALTER INDEX trellis.search_bodies_words SET (fastupdate = on, gin_pending_list_limit = 1024);

-- An answer stays in its row as it is: compressing it and writing it apart costs more than the bytes. It is read at most once
-- or twice and deleted after some days.
ALTER TABLE trellis.idempotency_keys SET (toast_tuple_target = 8160);
