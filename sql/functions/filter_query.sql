-- The words of a list's filter: all of them, the last one as a beginning.
CREATE OR REPLACE FUNCTION trellis.filter_query(p_words text, p_prefix text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = trellis, public, pg_temp
AS $$
  SELECT CASE WHEN numnode(words) = 0 THEN typed WHEN numnode(typed) = 0 THEN words ELSE words && typed END
  FROM (SELECT plainto_tsquery('simple', p_words) AS words, to_tsquery('simple', p_prefix) AS typed) q
$$;
