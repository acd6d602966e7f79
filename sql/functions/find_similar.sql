-- Candidates for a search with one typo: records whose name or title contains all texts. The caller compares them letter by
-- letter. `p_parts`: texts of which at least one occurs in every word within one edit of the longest word of the query.
CREATE OR REPLACE FUNCTION trellis.find_similar(
  p_types text[], p_parent uuid, p_published boolean, p_parts text[], p_query text, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, folded text, score real, created_at timestamptz, edition integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  -- distributed: SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
  SET max_parallel_workers_per_gather = 0
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET work_mem = '32MB'
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  reading text[] := trellis.current_readers();
  kind text;
  keys tsquery;
BEGIN
  FOREACH kind IN ARRAY p_types LOOP
    SELECT string_agg('( ' || trellis.search_gram_query(trellis.search_scope(organization, p_parent, kind), part)::text || ' )',
      ' | ')::tsquery INTO keys FROM unnest(p_parts) AS part;
    RETURN QUERY
      SELECT kind, c.record_id, c.folded, word_similarity(p_query, c.folded) AS score, c.created_at, c.edition FROM (
        SELECT x.record_id, x.folded, s.created_at, x.edition FROM (
          SELECT * FROM trellis.search_texts i
          WHERE
          -- distributed: i.organization_id = organization AND
          trellis.search_grams(i.organization_id, i.parent_id, i.type, i.folded) @@ keys OFFSET 0
        ) x
        JOIN LATERAL (
          SELECT s.created_at FROM trellis.search_records s
          WHERE s.organization_id = organization AND s.type = kind AND s.record_id = x.record_id
            AND s.edition = x.edition AND (CASE WHEN p_published THEN s.published ELSE s.working END)
            AND trellis.may_read(s.readers, reading)
          OFFSET 0
        ) s ON true
        WHERE x.organization_id = organization AND x.parent_id = p_parent AND x.type = kind AND x.part = 1
        LIMIT 5000
      ) c
      ORDER BY score DESC, c.created_at DESC, c.record_id DESC
      LIMIT p_limit;
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION trellis.find_similar FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.find_similar TO trellis_api;
ALTER FUNCTION trellis.find_similar OWNER TO trellis_search;
