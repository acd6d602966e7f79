-- One page of records whose texts match as in match_records, in the order of creation. It alternates between two access paths
-- with growing steps: the records in order, which is short for frequent texts, and all matches, which is short for rare ones.
-- So the cost is at most about twice that of the shorter path, without knowing which one it is.
-- Without texts (NULL): one page of all records that the caller may see.
CREATE OR REPLACE FUNCTION trellis.filter_page(
  p_type text, p_parent uuid, p_published boolean, p_texts text[], p_words text, p_prefix text, p_descending boolean,
  p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (record_id uuid, created_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 26
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  -- distributed: SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
  SET max_parallel_workers_per_gather = 0
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_memoize = off
  SET enable_sort = off
  SET enable_bitmapscan = off
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  reading text[] := trellis.current_readers();
  wanted tsquery := trellis.filter_query(p_words, p_prefix);
  has_words boolean := numnode(wanted) > 0;
  after_created timestamptz := coalesce(p_after_created, CASE WHEN p_descending THEN 'infinity' ELSE '-infinity' END::timestamptz);
  after_id uuid := coalesce(p_after_id, '00000000-0000-0000-0000-000000000000');
  steps CONSTANT integer[] := ARRAY[40, 200, 4000, 2147483647];
  matches CONSTANT integer[] := ARRAY[2000, 2000, 20000, 0];
  most integer;
  promising boolean := false;
  patterns text[] := ARRAY(
    SELECT '%' || regexp_replace(contained, '([\\%_])', '\\\1', 'g') || '%' FROM unnest(p_texts) AS contained);
  ids uuid[];
  editions integer[];
  instants timestamptz[];
  complete boolean;
BEGIN
  FOR turn IN CASE WHEN p_texts IS NULL THEN 4 ELSE 1 END .. 4 LOOP
    most := least(steps[turn], CASE WHEN p_texts IS NULL THEN p_limit END);
    -- If the first step found little, the index has been read already.
    CONTINUE WHEN turn = 2 AND NOT promising;
    IF p_descending THEN
      SELECT array_agg(m.record_id), array_agg(m.created_at) INTO ids, instants FROM (
        SELECT n.record_id, n.created_at
        FROM trellis.newest_records(organization, p_parent, p_type, p_published, reading, after_created, after_id, most) n
        WHERE p_texts IS NULL OR has_words AND n.terms @@ wanted OR EXISTS (SELECT FROM trellis.search_texts x
            WHERE x.organization_id = organization AND x.type = p_type AND x.record_id = n.record_id
              AND x.edition = n.edition AND x.folded LIKE ANY (patterns) OFFSET 0)
          OR has_words AND EXISTS (SELECT FROM trellis.search_bodies b
            WHERE b.organization_id = organization AND b.type = p_type AND b.record_id = n.record_id
              AND b.edition = n.edition AND b.terms @@ wanted OFFSET 0)
        LIMIT p_limit
      ) m;
    ELSE
      SELECT array_agg(m.record_id), array_agg(m.created_at) INTO ids, instants FROM (
        SELECT n.record_id, n.created_at
        FROM trellis.oldest_records(organization, p_parent, p_type, p_published, reading, after_created, after_id, most) n
        WHERE p_texts IS NULL OR has_words AND n.terms @@ wanted OR EXISTS (SELECT FROM trellis.search_texts x
            WHERE x.organization_id = organization AND x.type = p_type AND x.record_id = n.record_id
              AND x.edition = n.edition AND x.folded LIKE ANY (patterns) OFFSET 0)
          OR has_words AND EXISTS (SELECT FROM trellis.search_bodies b
            WHERE b.organization_id = organization AND b.type = p_type AND b.record_id = n.record_id
              AND b.edition = n.edition AND b.terms @@ wanted OFFSET 0)
        LIMIT p_limit
      ) m;
    END IF;
    IF turn = 4 OR cardinality(ids) >= p_limit THEN
      RETURN QUERY SELECT u.* FROM unnest(ids, instants) AS u;
      RETURN;
    END IF;
    -- Reading a few more records is cheaper than the index if they are likely to fill the page.
    promising := turn = 1 AND coalesce(cardinality(ids), 0) * 5 >= p_limit;
    CONTINUE WHEN promising;
    SELECT array_agg(c.record_id), array_agg(c.edition), array_agg(c.created_at), bool_and(c.complete)
      INTO ids, editions, instants, complete
      FROM trellis.filter_candidates(p_type, p_parent, p_texts, p_words, p_prefix, matches[turn]) c;
    IF complete IS NOT FALSE THEN
      -- In the list's order; visibility is checked record by record until the page is full.
      RETURN QUERY
        SELECT o.record_id, o.created_at FROM (
          SELECT u.record_id, u.edition, u.created_at FROM unnest(ids, editions, instants) AS u (record_id, edition, created_at)
          WHERE CASE WHEN p_descending THEN (u.created_at, u.record_id) < (after_created, after_id)
                ELSE (u.created_at, u.record_id) > (after_created, after_id) END
          GROUP BY u.created_at, u.record_id, u.edition
          ORDER BY CASE WHEN p_descending THEN u.created_at END DESC, CASE WHEN p_descending THEN u.record_id END DESC,
            u.created_at, u.record_id
        ) o
        JOIN LATERAL (
          SELECT FROM trellis.search_records s
          WHERE s.organization_id = organization AND s.type = p_type AND s.record_id = o.record_id
            AND s.edition = o.edition AND (CASE WHEN p_published THEN s.published ELSE s.working END)
            AND trellis.may_read(s.readers, reading)
          OFFSET 0
        ) s ON true
        LIMIT p_limit;
      RETURN;
    END IF;
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION trellis.filter_page FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.filter_page TO trellis_api;
ALTER FUNCTION trellis.filter_page OWNER TO trellis_search;
