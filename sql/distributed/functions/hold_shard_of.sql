-- Keeps the shard of an organization where it is until the end of the transaction, for one that goes through Citus; see hold_shard.
CREATE OR REPLACE FUNCTION trellis.hold_shard_of(p_organization uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM lock_shard_metadata(5, ARRAY[get_shard_id_for_distribution_column('trellis.roles', p_organization)]);
END $$;

REVOKE ALL ON FUNCTION trellis.hold_shard_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.hold_shard_of TO trellis_api, trellis_worker, trellis_auth;
