-- Whether the caller sees the row of a record in search.
CREATE OR REPLACE FUNCTION trellis.sees_entry(p_organization uuid, p_type text, p_record uuid, p_edition integer) RETURNS boolean
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
AS $$
BEGIN
  PERFORM 1 FROM trellis.search_records s
    WHERE s.organization_id = p_organization AND s.type = p_type AND s.record_id = p_record AND s.edition = p_edition;
  RETURN FOUND;
END $$;
