-- The organization of the current transaction, or NULL when none was named. The setting reads '' after a transaction
-- that had set it, which is not a uuid.
CREATE OR REPLACE FUNCTION trellis.current_organization() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('trellis.organization', true), '')::uuid;
