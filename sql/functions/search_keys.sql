-- Index keys of words: `s` before words of short texts, `w` before words of long ones. Keys are cut, because an index holds
-- no entries of several kilobytes.
-- Evaluated as a condition on rows it is expensive: the planner is to use the index that contains its results.
CREATE OR REPLACE FUNCTION trellis.search_keys(
  p_organization uuid, p_parent uuid, p_type text, p_short tsvector, p_long tsvector) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 100000 SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  scope text := trellis.search_scope(p_organization, p_parent, p_type);
BEGIN
  RETURN array_to_tsvector(ARRAY(
    SELECT scope || 's' || left(word, 200) FROM unnest(tsvector_to_array(p_short)) AS word
    UNION ALL
    SELECT scope || 'w' || left(word, 200) FROM unnest(tsvector_to_array(p_long)) AS word));
END $$;
