-- Whether the caller sees the subscription of a webhook endpoint.
CREATE OR REPLACE FUNCTION trellis.sees_subscription(p_organization uuid, p_endpoint uuid) RETURNS boolean
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
AS $$
BEGIN
  PERFORM 1 FROM trellis.webhook_subscriptions s
    WHERE s.organization_id = p_organization AND s.endpoint_id = p_endpoint;
  RETURN FOUND;
END $$;
