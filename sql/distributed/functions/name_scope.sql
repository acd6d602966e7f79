-- Names the scope, and the reader keys of the user: shards cannot look for them, because the memberships are on other shards than theirs. In a
-- transaction that holds its shard, the server names these itself (packages/server/src/database/distribution/shard-routes.ts).
-- The query for them, or for the organization, also begins the transaction on the node of the organization, which all further
-- statements before the next Sync belong to, although they may be no block.
CREATE OR REPLACE FUNCTION trellis.name_scope(p_organization text, p_user text) RETURNS text
  LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  PERFORM trellis.set_local('trellis.organization', p_organization), trellis.set_local('trellis.user', p_user);
  IF current_setting('trellis.in_shard', true) = 'on' THEN
    RETURN p_organization || p_user;
  END IF;
  PERFORM trellis.set_local('trellis.readers', coalesce(array_to_string(
    trellis.readers_of(nullif(p_organization, '')::uuid, nullif(p_user, '')::uuid), ','), ''));
  RETURN p_organization || p_user;
END $$;
