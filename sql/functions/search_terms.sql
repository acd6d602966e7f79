-- Words by weight, with `~` before their stems where the language is known (the name of a text search configuration). Stems
-- have neither weight nor position, so exact words rank higher.
-- Each word is stemmed once, however often it occurs. Addresses and paths are their own stems and are left out, because they
-- would be split differently the second time. No word contains the separator U+0001.
CREATE OR REPLACE FUNCTION trellis.search_terms(p_language text, p_a text, p_b text, p_d text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  words tsvector := setweight(to_tsvector('simple', p_a), 'A') || setweight(to_tsvector('simple', p_b), 'B')
    || setweight(to_tsvector('simple', p_d), 'D');
  distinct_words text;
  stems text[];
BEGIN
  IF p_language IS NULL THEN
    RETURN words;
  END IF;
  distinct_words := array_to_string(tsvector_to_array(words), ' ');
  IF distinct_words ~ '[/?]' THEN
    distinct_words := regexp_replace(distinct_words, '\S*[/?]\S*', '', 'g');
  END IF;
  stems := tsvector_to_array(to_tsvector(p_language::regconfig, distinct_words));
  IF cardinality(stems) = 0 THEN
    RETURN words;
  END IF;
  RETURN words || array_to_tsvector(string_to_array('~' || array_to_string(stems, E'\x01~'), E'\x01'));
END $$;
