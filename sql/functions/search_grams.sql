-- Index keys of a text's groups of three bytes (UTF-8, hexadecimal). The last two are shorter, so that every byte begins
-- a key: texts of one or two bytes are found by prefix.
-- Evaluated as a condition on rows it is expensive: the planner is to use the index that contains its results.
CREATE OR REPLACE FUNCTION trellis.search_grams(p_organization uuid, p_parent uuid, p_type text, p_text text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 100000 SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  scope text := trellis.search_scope(p_organization, p_parent, p_type);
  bytes bytea := convert_to(p_text, 'UTF8');
BEGIN
  RETURN array_to_tsvector(ARRAY(
    SELECT scope || encode(substring(bytes FROM place FOR 3), 'hex') FROM generate_series(1, length(bytes)) AS place));
END $$;
