-- Whether the caller sees a record in the trash.
CREATE OR REPLACE FUNCTION trellis.sees_in_trash(p_organization uuid, p_resource text, p_record uuid) RETURNS boolean
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
AS $$
BEGIN
  PERFORM 1 FROM trellis.trash t
    WHERE t.organization_id = p_organization AND t.resource = p_resource AND t.id = p_record;
  RETURN FOUND;
END $$;
