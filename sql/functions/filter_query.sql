-- The words of a list's filter: all of them, the last one as a beginning.
-- PostgreSQL would send a notice of a query without words.
CREATE OR REPLACE FUNCTION trellis.filter_query(p_words text, p_prefix text) RETURNS tsquery
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  words tsquery := CASE WHEN p_words ~ '\S' THEN plainto_tsquery('simple', p_words) ELSE '' END;
  typed tsquery := CASE WHEN p_prefix = '' THEN '' ELSE to_tsquery('simple', p_prefix) END;
BEGIN
  RETURN CASE WHEN numnode(words) = 0 THEN typed WHEN numnode(typed) = 0 THEN words ELSE words && typed END;
END $$;
