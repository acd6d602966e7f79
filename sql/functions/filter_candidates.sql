-- Candidates for a text filter: record versions with a name, title, number or address that contains one of the folded texts, or whose
-- short texts or long texts have all words of a query. More than p_limit for one of these are not `complete`. Unordered, with
-- duplicates, and regardless of who may see them.
CREATE OR REPLACE FUNCTION trellis.filter_candidates(
  p_type text, p_parent uuid, p_texts text[], p_words text, p_prefix text, p_limit integer)
  RETURNS TABLE (record_id uuid, edition integer, created_at timestamptz, complete boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  -- distributed: SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
  SET max_parallel_workers_per_gather = 0
  SET enable_seqscan = off
  SET enable_bitmapscan = on
  SET work_mem = '32MB'
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  scope text := trellis.search_scope(organization, p_parent, p_type);
  wanted tsquery := trellis.filter_query(p_words, p_prefix);
  -- Adjacency of compound parts, and paths such as ~/a that look like stems, can be checked in the stored words only.
  exact boolean := wanted::text ~ '[<~]';
  keys tsquery;
  contained text;
BEGIN
  FOREACH contained IN ARRAY p_texts LOOP
    keys := trellis.search_gram_query(scope, contained);
    RETURN QUERY
      -- A record has at most two such texts.
      SELECT m.record_id, m.edition, m.created_at, count(*) OVER () <= p_limit FROM (
        SELECT x.record_id, x.edition, x.created_at FROM (
          SELECT * FROM trellis.search_texts i
          WHERE
          -- distributed: i.organization_id = organization AND
          trellis.search_grams(i.organization_id, i.parent_id, i.type, i.folded) @@ keys OFFSET 0
        ) x
        WHERE x.organization_id = organization AND x.parent_id = p_parent AND x.type = p_type
          AND strpos(x.folded, contained) > 0
        LIMIT 2 * p_limit + 1
      ) m
      GROUP BY m.record_id, m.edition, m.created_at;
  END LOOP;
  keys := trellis.search_key_query(scope, wanted, 's');
  IF keys IS NOT NULL THEN
    RETURN QUERY
      SELECT m.record_id, m.edition, m.created_at, count(*) OVER () <= p_limit FROM (
        SELECT s.record_id, s.edition, s.created_at FROM (
          SELECT * FROM trellis.search_records i
          WHERE
          -- distributed: i.organization_id = organization AND
          trellis.search_keys(i.organization_id, i.parent_id, i.type, i.terms, NULL) @@ keys OFFSET 0
        ) s
        WHERE s.organization_id = organization AND s.parent_id = p_parent AND s.type = p_type
          AND CASE WHEN exact THEN s.terms @@ wanted ELSE true END
        LIMIT p_limit + 1
      ) m;
    keys := trellis.search_key_query(scope, wanted, 'w');
    RETURN QUERY
      SELECT m.record_id, m.edition, m.created_at, count(*) OVER () <= p_limit FROM (
        SELECT b.record_id, b.edition, b.created_at FROM (
          SELECT * FROM trellis.search_bodies i
          WHERE
          -- distributed: i.organization_id = organization AND
          trellis.search_keys(i.organization_id, i.parent_id, i.type, i.short_terms, i.terms) @@ keys OFFSET 0
        ) b
        WHERE b.organization_id = organization AND b.parent_id = p_parent AND b.type = p_type
          AND CASE WHEN exact THEN b.terms @@ wanted ELSE true END
        LIMIT p_limit + 1
      ) m;
  END IF;
END $$;

REVOKE ALL ON FUNCTION trellis.filter_candidates FROM PUBLIC;
ALTER FUNCTION trellis.filter_candidates OWNER TO trellis_search;
