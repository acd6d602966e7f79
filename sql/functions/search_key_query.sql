-- A query's words as index keys of one scope. `p_kinds`: `s`, `w` or both. NULL: nothing that an index knows must be there.
-- A stem is also asked for as a word, because it has no key of its own where it is one. So rows may be found that do not match.
CREATE OR REPLACE FUNCTION trellis.search_key_query(p_scope text, p_wanted tsquery, p_kinds text) RETURNS tsquery
  LANGUAGE plpgsql IMMUTABLE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  -- One quoted word, of which an index has the first 200 characters.
  letters CONSTANT text := '((?:[^''\\]|''''|\\\\){1,200})(?:[^''\\]|''''|\\\\)*''(:\*)?';
  needed text := querytree(p_wanted);
BEGIN
  IF needed IN ('', 'T') THEN
    RETURN NULL;
  END IF;
  -- Where words stand is not in the index: of a phrase all words must be there.
  needed := regexp_replace(needed, ' <(-|\d+)> ', ' & ', 'g');
  needed := regexp_replace(needed, '(?<!'')''~' || letters, '( ''~\1''\2 | ''\1''\2 )', 'g');
  RETURN regexp_replace(needed, '''' || letters, CASE p_kinds
    WHEN 'sw' THEN format('( ''%1$ss\1''\2 | ''%1$sw\1''\2 )', p_scope)
    ELSE format('''%s%s\1''\2', p_scope, p_kinds) END, 'g')::tsquery;
END $$;
