-- Words by weight, with `~` before their stems where the language is known (the name of a text search configuration). Stems
-- have neither weight nor position: who has the very word ranks higher.
CREATE OR REPLACE FUNCTION trellis.search_terms(p_language text, p_a text, p_b text, p_d text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  words tsvector := setweight(to_tsvector('simple', p_a), 'A') || setweight(to_tsvector('simple', p_b), 'B')
    || setweight(to_tsvector('simple', p_d), 'D');
BEGIN
  IF p_language IS NULL THEN
    RETURN words;
  END IF;
  RETURN words || array_to_tsvector(ARRAY(
    SELECT '~' || left(stem, 200)
    FROM unnest(tsvector_to_array(to_tsvector(p_language::regconfig, concat_ws(' ', p_a, p_b, p_d)))) AS stem));
END $$;
