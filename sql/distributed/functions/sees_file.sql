-- Whether the caller sees a knowledge file.
CREATE OR REPLACE FUNCTION trellis.sees_file(p_organization uuid, p_file uuid) RETURNS boolean
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
AS $$
BEGIN
  PERFORM 1 FROM trellis.knowledge_files f WHERE f.organization_id = p_organization AND f.id = p_file;
  RETURN FOUND;
END $$;
