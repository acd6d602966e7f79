-- The candidates that the caller may see in the perspective.
CREATE OR REPLACE FUNCTION trellis.match_records(
  p_type text, p_parent uuid, p_published boolean, p_texts text[], p_words text, p_prefix text, p_limit integer)
  RETURNS TABLE (record_id uuid, complete boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  -- distributed: SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
  SET max_parallel_workers_per_gather = 0
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  reading text[] := trellis.current_readers();
BEGIN
  RETURN QUERY
    SELECT c.record_id, c.complete
    FROM trellis.filter_candidates(p_type, p_parent, p_texts, p_words, p_prefix, p_limit) c
    JOIN LATERAL (
      SELECT FROM trellis.search_records s
      WHERE s.organization_id = organization AND s.type = p_type AND s.record_id = c.record_id AND s.edition = c.edition
        AND (CASE WHEN p_published THEN s.published ELSE s.working END)
        AND trellis.may_read(s.readers, reading)
      OFFSET 0
    ) s ON true;
END $$;

REVOKE ALL ON FUNCTION trellis.match_records FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.match_records TO trellis_api;
ALTER FUNCTION trellis.match_records OWNER TO trellis_search;
