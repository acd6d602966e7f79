-- A write that was decided may take a file or a view out of its own sight: from there on its transaction sees all of the
-- organization's.
CREATE OR REPLACE FUNCTION trellis.sees_all_files() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('trellis.all_files', true), '') = 'on';
