-- The three-byte groups that a text must have to contain another text, as index keys.
CREATE OR REPLACE FUNCTION trellis.search_gram_query(p_scope text, p_text text) RETURNS tsquery
  LANGUAGE plpgsql IMMUTABLE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  bytes bytea := convert_to(p_text, 'UTF8');
BEGIN
  IF length(bytes) < 3 THEN
    RETURN format('''%s%s'':*', p_scope, encode(bytes, 'hex'))::tsquery;
  END IF;
  -- More than forty are no more selective.
  RETURN (SELECT string_agg(DISTINCT format('''%s%s''', p_scope, encode(substring(bytes FROM place FOR 3), 'hex')), ' & ')
          FROM generate_series(1, least(length(bytes) - 2, 40)) AS place)::tsquery;
END $$;
