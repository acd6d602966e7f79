-- Whether somebody may read a row. `p_readers`: who may, ids of users and names of roles; NULL is every member. `p_reader`:
-- what somebody reads as, see readers_of. Every policy and every search asks this function; PostgreSQL puts its body in
-- the place of the call, so that it costs nothing and hides nothing from the planner.
CREATE OR REPLACE FUNCTION trellis.may_read(p_readers text[], p_reader text[]) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN p_readers IS NULL OR p_readers && p_reader;
