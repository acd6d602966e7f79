-- Gives a setting of the transaction, such as `trellis.user`, a value until its end, and returns the value. It is a function because a
-- distributed database (Citus) passes settings to the shards in another way: sql/distributed/functions. PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION trellis.set_local(p_name text, p_value text) RETURNS text
  LANGUAGE sql VOLATILE
  RETURN set_config(p_name, p_value, true);
