-- Flushes the pending lists of the GIN indexes of tables, which are those of a shard, as insert_pending_keys does for a single server. With the
-- owner's rights, which this needs and no running process has. It finds the indexes by their tables: Citus hides the relations of shards in pg_class.
CREATE OR REPLACE FUNCTION trellis.insert_pending_keys_of(VARIADIC p_tables regclass[]) RETURNS void
  LANGUAGE sql SECURITY DEFINER
  SET search_path = trellis, pg_temp
AS $$
  SELECT gin_clean_pending_list(indexrelid) FROM pg_index
  WHERE indrelid = ANY (p_tables) AND pg_get_indexdef(indexrelid) LIKE '% USING gin %';
$$;

REVOKE ALL ON FUNCTION trellis.insert_pending_keys_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.insert_pending_keys_of TO trellis_worker;
