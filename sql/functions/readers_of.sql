-- The reader keys of a user in an organization: the user id, the current role, and for a custom role `read:` and the name of each
-- resource that it may read. Called by every list and search. PL/pgSQL caches its plans and reads the permissions of custom roles
-- only. On a distributed database (Citus) also within the query of a shard, by the server that has the organization.
CREATE OR REPLACE FUNCTION trellis.readers_of(p_organization uuid, p_user uuid) RETURNS text[]
  LANGUAGE plpgsql STABLE PARALLEL SAFE
-- distributed: SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
  AS $$
DECLARE
  own_role text;
  own_role_id uuid;
BEGIN
  SELECT m.role, m.role_id INTO own_role, own_role_id FROM trellis.memberships m
    WHERE m.organization_id = p_organization AND m.user_id = p_user;
  IF own_role_id IS NULL THEN
    RETURN ARRAY[p_user::text, own_role];
  END IF;
  RETURN ARRAY[p_user::text, own_role] || ARRAY(
    SELECT 'read:' || (p.value ->> 'resource') FROM trellis.roles r, json_array_elements(r.grants) p
    WHERE r.organization_id = p_organization AND r.id = own_role_id AND p.value ->> 'action' = 'read');
END $$;
