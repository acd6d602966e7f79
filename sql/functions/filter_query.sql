-- The query of a list's text filter: all words, the last one as a prefix.
-- Without words PostgreSQL would raise a notice.
CREATE OR REPLACE FUNCTION trellis.filter_query(p_words text, p_prefix text) RETURNS tsquery
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  words tsquery := CASE WHEN p_words ~ '\S' THEN plainto_tsquery('simple', p_words) ELSE '' END;
  typed tsquery := CASE WHEN p_prefix = '' THEN '' ELSE to_tsquery('simple', p_prefix) END;
BEGIN
  RETURN CASE WHEN numnode(words) = 0 THEN typed WHEN numnode(typed) = 0 THEN words ELSE words && typed END;
END $$;
