-- Whether one of these users has not proven the e-mail address.
CREATE OR REPLACE FUNCTION trellis.is_unproven(VARIADIC p_users uuid[]) RETURNS boolean
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
AS $$
BEGIN
  PERFORM 1 FROM trellis.users u WHERE u.id = ANY (p_users) AND NOT u.address_proven;
  RETURN FOUND;
END $$;
