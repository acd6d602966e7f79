-- Citus passes on what SET LOCAL sets, as a statement of its own, and nothing of set_config. Only settings of this product.
CREATE OR REPLACE FUNCTION trellis.set_local(p_name text, p_value text) RETURNS text
  LANGUAGE plpgsql VOLATILE
  SET citus.propagate_set_commands = 'local'
AS $$
BEGIN
  IF p_name !~ '^trellis\.[a-z_]+$' THEN
    RAISE EXCEPTION 'no setting of Trellis' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  EXECUTE format('SET LOCAL trellis.%I TO %L', substr(p_name, 9), coalesce(p_value, ''));
  RETURN p_value;
END $$;
