-- Whether a user is a member of the transaction's organization. The queries of these functions are carried out within those of a shard, by
-- the node that has the organization.
CREATE OR REPLACE FUNCTION trellis.is_member(p_user uuid) RETURNS boolean
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
AS $$
DECLARE
  -- A value: with a function in the condition, Citus would query the shards on all servers.
  organization uuid := trellis.current_organization();
BEGIN
  PERFORM 1 FROM trellis.memberships m
    WHERE m.organization_id = organization AND m.user_id = p_user;
  RETURN FOUND;
END $$;
