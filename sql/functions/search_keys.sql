-- Index keys of words: `s` before words of short texts, `w` before words of long ones. Keys are truncated, because an index
-- entry cannot have several kilobytes.
-- A stem that is itself a word of the text has no key of its own, which saves nearly half of the keys: queries search stems as
-- words too (search_key_query).
-- Words are joined, prefixed and split as one text, which takes two thirds of the time of a loop. No word contains
-- the character U+0001.
-- Declared as expensive, so that the planner uses the index instead of evaluating it for rows.
CREATE OR REPLACE FUNCTION trellis.search_keys(
  p_organization uuid, p_parent uuid, p_type text, p_short tsvector, p_long tsvector) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 100000 SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  scope text := trellis.search_scope(p_organization, p_parent, p_type);
  short_stems text := '~' || array_to_string(tsvector_to_array(p_short), E'\x01~');
  long_stems text := '~' || array_to_string(tsvector_to_array(p_long), E'\x01~');
  keys text;
BEGIN
  -- The keys that stems equal to these words would have; stems already begin with `~`.
  IF position('~~' IN short_stems) > 0 THEN
    p_short := ts_delete(p_short, string_to_array(short_stems, E'\x01'));
  END IF;
  IF position('~~' IN long_stems) > 0 THEN
    p_long := ts_delete(p_long, string_to_array(long_stems, E'\x01'));
  END IF;
  keys := concat_ws(E'\x01',
    scope || 's' || nullif(array_to_string(tsvector_to_array(p_short), E'\x01' || scope || 's'), ''),
    scope || 'w' || nullif(array_to_string(tsvector_to_array(p_long), E'\x01' || scope || 'w'), ''));
  -- The scope, one letter and more than 200 characters.
  IF keys ~ '[^\x01]{212}' THEN
    keys := regexp_replace(keys, '([^\x01]{211})[^\x01]+', '\1', 'g');
  END IF;
  RETURN array_to_tsvector(string_to_array(keys, E'\x01'));
END $$;
