-- Keeps a shard of a distributed database (Citus) on this server until the end of the transaction, as Citus does for the changes
-- that it sends to shards: a move or a split waits for them (lock_shard_metadata with ShareLock, 5). Writes and background work change
-- the tables of shards themselves. The setting says so to functions that otherwise find the shard through Citus. With the owner's rights,
-- because Citus lets only the owner of a table lock its shards so.
CREATE OR REPLACE FUNCTION trellis.hold_shard(p_shard bigint) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  BEGIN
    PERFORM lock_shard_metadata(5, ARRAY[p_shard]);
  EXCEPTION WHEN internal_error THEN
    -- A shard that was split meanwhile is unknown, which Citus reports as an internal error.
    IF EXISTS (SELECT FROM pg_dist_shard WHERE shardid = p_shard) THEN
      RAISE;
    END IF;
  END;
  -- Read after the lock, which may have waited for a move.
  PERFORM FROM pg_dist_placement p JOIN pg_dist_local_group g ON g.groupid = p.groupid
    WHERE p.shardid = p_shard AND p.shardstate = 1;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'shard % is no longer on this server', p_shard USING ERRCODE = 'TR002';
  END IF;
  PERFORM set_config('trellis.in_shard', 'on', true);
END $$;

REVOKE ALL ON FUNCTION trellis.hold_shard FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.hold_shard TO trellis_api, trellis_worker;
