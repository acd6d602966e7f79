-- Files whose metadata or text match. Words may be on different pages: a file's row in search_bodies has the words of the whole
-- file (as far as indexed), knowledge_pages those of each page. Returns the best matching page with each file.
CREATE OR REPLACE FUNCTION trellis.find_files(
  p_parent uuid, p_words text, p_prefix text, p_stems text[], p_most integer,
  p_after_score real, p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, score real, created_at timestamptz, page integer, part integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
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
  wanted tsquery := trellis.search_query(p_words, p_prefix, p_stems);
  keys tsquery := trellis.search_key_query(trellis.search_scope(organization, organization, 'page'), wanted, 'w');
  anything tsquery;
  ranking tsquery := wanted;
  phrases boolean := wanted::text LIKE '%<%';
  lexeme CONSTANT text := '''(?:[^'']|'''')*''';
  excluded tsquery;
  anywhere boolean;
BEGIN
  -- The same words joined by OR: a page needs one of them to be shown.
  IF querytree(wanted) NOT IN ('', 'T') THEN
    anything := regexp_replace(replace(querytree(wanted), ' & ', ' | '), ' <(-|\d+)> ', ' | ', 'g')::tsquery;
  END IF;
  -- As in rank_records.
  IF regexp_count(wanted::text, '[&<]') > 3 THEN
    ranking := coalesce(anything, wanted);
  END IF;
  -- Excluded words and phrases: they must be absent from all pages, not only from the matching one.
  SELECT string_agg(operand[1], ' | ')::tsquery INTO excluded
  FROM regexp_matches(wanted::text, format('!(%1$s|\( %1$s(?: <(?:-|\d+)> %1$s)* \))|%1$s', lexeme), 'g') AS operand;
  -- Exclusions below an OR do not apply to the whole file.
  anywhere := excluded IS NULL OR wanted::text LIKE '% | %';
  RETURN QUERY
    WITH known AS MATERIALIZED (
      SELECT * FROM trellis.rank_records('knowledge-file', p_parent, false, wanted, p_most)
    ), amount AS MATERIALIZED (
      SELECT EXISTS (SELECT FROM known k WHERE NOT k.complete) AS beyond
    ), places AS MATERIALIZED (
      SELECT p.file_id, p.terms FROM (
        SELECT * FROM trellis.knowledge_pages i
        WHERE
        -- distributed: i.organization_id = organization AND
        trellis.search_keys(i.organization_id, i.organization_id, 'page', NULL, i.terms) @@ keys AND i.beyond_entry
        OFFSET 0
      ) p
      WHERE NOT (SELECT beyond FROM amount) AND p.organization_id = organization AND p.terms @@ wanted
      UNION ALL
      -- The row of a whole file has at most 256 positions of each word, so phrases are checked on pages.
      SELECT p.file_id, p.terms FROM (
        SELECT * FROM trellis.knowledge_pages i
        WHERE
        -- distributed: i.organization_id = organization AND
        trellis.search_keys(i.organization_id, i.organization_id, 'page', NULL, i.terms) @@ keys OFFSET 0
      ) p
      WHERE phrases AND NOT (SELECT beyond FROM amount) AND p.organization_id = organization AND p.terms @@ wanted
        AND NOT p.beyond_entry AND NOT p.file_id IN (SELECT k.record_id FROM known k)
    ), pages AS MATERIALIZED (
      SELECT e.record_id, e.created_at, ts_rank(p.terms, ranking) AS score
      FROM places p JOIN LATERAL (
        SELECT s.record_id, s.created_at FROM trellis.search_records s
        LEFT JOIN trellis.search_bodies b ON b.organization_id = s.organization_id AND b.type = s.type
          AND b.record_id = s.record_id AND b.edition = s.edition
        WHERE s.organization_id = organization AND s.type = 'knowledge-file' AND s.record_id = p.file_id
          AND trellis.may_read(s.readers, reading)
          AND (excluded IS NULL OR NOT (s.terms || coalesce(b.terms, '')) @@ excluded)
        OFFSET 0
      ) e ON true
      WHERE excluded IS NULL OR NOT EXISTS (
        SELECT FROM trellis.knowledge_pages q
        WHERE q.organization_id = organization AND q.file_id = e.record_id AND q.terms @@ excluded)
      LIMIT p_most
    ), ranked AS (
      SELECT h.record_id, h.created_at, max(h.score) AS score
      FROM (SELECT k.record_id, k.created_at, k.score FROM known k UNION ALL SELECT * FROM pages) h
      -- The row of a file has the words of the beginning of a long text only.
      WHERE anywhere OR NOT EXISTS (
        SELECT FROM trellis.knowledge_pages q
        WHERE q.organization_id = organization AND q.file_id = h.record_id AND q.terms @@ excluded)
      GROUP BY h.record_id, h.created_at
    ), shown AS (
      SELECT r.record_id, r.score, r.created_at FROM ranked r
      WHERE p_after_id IS NULL OR (r.score, r.created_at, r.record_id) < (p_after_score, p_after_created, p_after_id)
      ORDER BY r.score DESC, r.created_at DESC, r.record_id DESC
      LIMIT p_limit
    )
    SELECT 'knowledge-file', s.record_id, s.score, s.created_at, best.page, best.part
    FROM shown s
    LEFT JOIN LATERAL (
      SELECT p.page, p.part FROM trellis.knowledge_pages p
      WHERE p.organization_id = organization AND p.file_id = s.record_id AND p.terms @@ anything
      ORDER BY ts_rank(p.terms, ranking) DESC, ts_rank(p.terms, anything) DESC, p.page, p.part
      LIMIT 1
    ) best ON true
    ORDER BY s.score DESC, s.created_at DESC, s.record_id DESC;
END $$;

REVOKE ALL ON FUNCTION trellis.find_files FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.find_files TO trellis_api;
ALTER FUNCTION trellis.find_files OWNER TO trellis_search;
