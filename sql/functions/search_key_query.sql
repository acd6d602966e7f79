-- The words of a query as index keys of one scope, of short texts (`s`) or of long ones (`w`). NULL: the query requires no indexed word.
-- A stem is also searched as a word, because it has no key of its own where the text has that word. So results may
-- include rows that do not match.
CREATE OR REPLACE FUNCTION trellis.search_key_query(p_scope text, p_wanted tsquery, p_kinds text) RETURNS tsquery
  LANGUAGE plpgsql IMMUTABLE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  -- One quoted word; the index has its first 200 characters.
  letters CONSTANT text := '((?:[^''\\]|''''|\\\\){1,200})(?:[^''\\]|''''|\\\\)*''(:\*)?';
  needed text := querytree(p_wanted);
BEGIN
  IF needed IN ('', 'T') THEN
    RETURN NULL;
  END IF;
  -- The index has no positions: a phrase requires all its words.
  needed := regexp_replace(needed, ' <(-|\d+)> ', ' & ', 'g');
  needed := regexp_replace(needed, '(?<!'')''~' || letters, '( ''~\1''\2 | ''\1''\2 )', 'g');
  RETURN regexp_replace(needed, '''' || letters, format('''%s%s\1''\2', p_scope, p_kinds), 'g')::tsquery;
END $$;
