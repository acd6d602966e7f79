-- Flushes the pending lists of the search indexes, so that the next search need not read them. SECURITY DEFINER, because this
-- needs the owner's rights, which no running process has.
CREATE OR REPLACE FUNCTION trellis.insert_pending_keys() RETURNS void
  LANGUAGE sql SECURITY DEFINER
  SET search_path = trellis, pg_temp
AS $$
  SELECT gin_clean_pending_list(name::regclass)
  FROM unnest(ARRAY['trellis.search_records_words', 'trellis.search_texts_grams', 'trellis.search_bodies_words']) AS name;
$$;

REVOKE ALL ON FUNCTION trellis.insert_pending_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.insert_pending_keys TO trellis_worker;
