-- What a query requires all of: its words, each with its alternatives, and its phrases; without what it excludes. The longest first,
-- which tends to be the rarest. None for a query of alternatives.
CREATE OR REPLACE FUNCTION trellis.search_operands(p_wanted tsquery) RETURNS tsquery[]
  LANGUAGE plpgsql IMMUTABLE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  needed text := querytree(p_wanted);
  depth integer := 0;
  operand text := '';
  operands text[] := '{}';
  token text;
BEGIN
  FOR token IN
    SELECT m[1] FROM regexp_matches(needed, '(''(?:[^'']|'''')*''(?::\*?[A-D]*)?|[()&|!]|<(?:-|\d+)>)', 'g') AS m
  LOOP
    depth := depth + CASE token WHEN '(' THEN 1 WHEN ')' THEN -1 ELSE 0 END;
    IF depth = 0 AND token = '|' THEN
      RETURN '{}';
    ELSIF depth = 0 AND token = '&' THEN
      operands := operands || operand;
      operand := '';
    ELSE
      operand := concat_ws(' ', operand, token);
    END IF;
  END LOOP;
  RETURN ARRAY(SELECT part::tsquery FROM unnest(operands || operand) AS part ORDER BY length(part) DESC, part);
END $$;
