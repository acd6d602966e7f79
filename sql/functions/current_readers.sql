-- The reader keys of the current user in the current organization; see readers_of.
CREATE OR REPLACE FUNCTION trellis.current_readers() RETURNS text[]
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN trellis.readers_of(trellis.current_organization(), trellis.current_user_id());
