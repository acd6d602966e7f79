-- Index keys of words: `s` before words of short texts, `w` before words of long ones. Keys are cut, because an index holds
-- no entries of several kilobytes.
-- A stem that is itself a word of the text has no key of its own, which saves nearly half of the keys: queries ask for stems as
-- words, too (search_key_query).
-- Words are joined and split with a prefix instead of being read one by one, which takes two thirds of the time. No word contains
-- the character U+0001.
-- Evaluated as a condition on rows it is expensive: the planner is to use the index that contains its results.
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
  -- What stems of all these words would be; stems themselves begin with one `~` already.
  IF position('~~' IN short_stems) > 0 THEN
    p_short := ts_delete(p_short, string_to_array(short_stems, E'\x01'));
  END IF;
  IF position('~~' IN long_stems) > 0 THEN
    p_long := ts_delete(p_long, string_to_array(long_stems, E'\x01'));
  END IF;
  keys := concat_ws(E'\x01',
    scope || 's' || nullif(array_to_string(tsvector_to_array(p_short), E'\x01' || scope || 's'), ''),
    scope || 'w' || nullif(array_to_string(tsvector_to_array(p_long), E'\x01' || scope || 'w'), ''));
  -- The scope, a letter and more than 200 characters.
  IF keys ~ '[^\x01]{212}' THEN
    keys := regexp_replace(keys, '([^\x01]{211})[^\x01]+', '\1', 'g');
  END IF;
  RETURN array_to_tsvector(string_to_array(keys, E'\x01'));
END $$;
