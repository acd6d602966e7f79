-- Whether a user has accepted an invitation of an organization to a role.
CREATE OR REPLACE FUNCTION trellis.is_invited(p_organization uuid, p_user uuid, p_role text) RETURNS boolean
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
AS $$
BEGIN
  PERFORM 1 FROM trellis.invitations i
    JOIN trellis.roles r ON r.organization_id = i.organization_id AND r.id = i.role_id
    WHERE i.organization_id = p_organization AND r.organization_id = p_organization AND i.user_id = p_user
      AND i.status = 'ACCEPTED' AND p_role = CASE WHEN r.built_in THEN r.key ELSE r.id::text END;
  RETURN FOUND;
END $$;
