-- The organization of the current transaction, or NULL. After a transaction that had set it, the setting reads ''.
CREATE OR REPLACE FUNCTION trellis.current_organization() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('trellis.organization', true), '')::uuid;
