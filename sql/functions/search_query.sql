-- Parses a query in web-search syntax, with a tsquery for the word still being typed (or ''). The words of p_stems also match those
-- of the same stem in the languages that PostgreSQL knows, except excluded words and words of phrases.
CREATE OR REPLACE FUNCTION trellis.search_query(p_words text, p_prefix text, p_stems text[]) RETURNS tsquery
  LANGUAGE plpgsql STABLE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  wanted tsquery := CASE WHEN p_words ~ '\S' THEN websearch_to_tsquery('simple', p_words) ELSE '' END;
  typed tsquery := CASE WHEN p_prefix = '' THEN '' ELSE to_tsquery('simple', p_prefix) END;
  word text;
  stems tsquery;
BEGIN
  IF wanted::text !~ '[!<]' THEN
    FOREACH word IN ARRAY p_stems LOOP
      SELECT string_agg(DISTINCT quote_literal('~' || stem), ' | ')::tsquery INTO stems
      FROM trellis.search_stems(word) AS stem;
      CONTINUE WHEN stems IS NULL;
      -- One after the other: ts_rewrite treats a word and a prefix as equal.
      wanted := ts_rewrite(wanted, quote_literal(word)::tsquery, quote_literal(word)::tsquery || stems);
      IF typed::text = quote_literal(word) || ':*' THEN
        typed := typed || stems;
      END IF;
    END LOOP;
  END IF;
  RETURN CASE WHEN numnode(wanted) = 0 THEN typed WHEN numnode(typed) = 0 THEN wanted ELSE wanted && typed END;
END $$;
