-- The reader keys as `name_scope` named them.
CREATE OR REPLACE FUNCTION trellis.current_readers() RETURNS text[]
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN string_to_array(current_setting('trellis.readers', true), ',');
