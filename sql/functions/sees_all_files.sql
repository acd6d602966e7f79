-- Whether the transaction may see all files and views of the organization: set after an authorized write that may make a
-- record invisible to its own caller.
CREATE OR REPLACE FUNCTION trellis.sees_all_files() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('trellis.all_files', true), '') = 'on';
