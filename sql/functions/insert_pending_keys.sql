-- Inserts the keys that wait in the lists of the search indexes, so that the next search need not read them. Emptying a list
-- needs the owner's rights, which no running process has: this function has them, and can do nothing else.
CREATE OR REPLACE FUNCTION trellis.insert_pending_keys() RETURNS void
  LANGUAGE sql SECURITY DEFINER
  SET search_path = trellis, pg_temp
AS $$
  SELECT gin_clean_pending_list(name::regclass)
  FROM unnest(ARRAY['trellis.search_records_words', 'trellis.search_texts_grams', 'trellis.search_bodies_words']) AS name;
$$;

REVOKE ALL ON FUNCTION trellis.insert_pending_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.insert_pending_keys TO trellis_worker;
