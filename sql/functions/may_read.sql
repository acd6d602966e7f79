-- Whether a caller may read a row. `p_readers`: user ids and role names that may read it; NULL: every member. `p_reader`: the
-- reader keys of the caller, see readers_of. Used by every policy and search; PostgreSQL inlines it, so that it is free and the
-- planner sees its conditions.
CREATE OR REPLACE FUNCTION trellis.may_read(p_readers text[], p_reader text[]) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN p_readers IS NULL OR p_readers && p_reader;
