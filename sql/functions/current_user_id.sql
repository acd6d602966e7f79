-- The user on whose behalf the current transaction runs, or NULL.
CREATE OR REPLACE FUNCTION trellis.current_user_id() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('trellis.user', true), '')::uuid;
