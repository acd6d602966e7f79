-- Index keys of a text: its groups of three bytes (UTF-8, hexadecimal). The last two are shorter, so that every byte starts
-- a key: texts of one or two bytes are found by prefix.
-- Declared as expensive, so that the planner uses the index instead of evaluating it for rows.
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
