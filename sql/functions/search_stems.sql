-- The stems of a folded word in every language that PostgreSQL knows, each once.
CREATE OR REPLACE FUNCTION trellis.search_stems(p_word text) RETURNS SETOF text
  LANGUAGE sql STABLE SET search_path = trellis, public, pg_temp
AS $$
  SELECT DISTINCT stem FROM pg_ts_dict d
    JOIN pg_namespace n ON n.oid = d.dictnamespace AND n.nspname = 'pg_catalog',
    unnest(ts_lexize(d.oid::regdictionary, p_word)) AS stem
  WHERE d.dictname LIKE '%\_stem' AND p_word !~ '\d'
$$;
