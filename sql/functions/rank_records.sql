-- Ranked matches of one type, in short or long texts. Up to p_most matches, all are ranked (`complete`). Of more, it ranks those
-- among the newest 200 records, up to 200 of the newest 1,000 with a match in short texts, and, if these are fewer than 100, up to 200 others
-- with a match in short texts: for very common terms, recency matters more than rank.
-- It also assumes more matches if a quarter of the newest 40 records match and there are more than 4 × p_most records, because reading all
-- matches from the index would then dominate the cost.
-- Word order and proximity count in queries of up to four words; in longer ones only the number and weight of matches.
-- A query whose words are divided between the short and the long texts of a record finds it among the records that have one of the words in
-- their short texts; if these are more than p_most, among those that have the rarest of the words, as far as the newest 40 records show;
-- if these are too many, too, among the newest 1,000.
CREATE OR REPLACE FUNCTION trellis.rank_records(p_type text, p_parent uuid, p_published boolean, p_wanted tsquery, p_most integer)
  RETURNS TABLE (record_id uuid, edition integer, created_at timestamptz, score real, complete boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  -- distributed: SET plan_cache_mode = force_custom_plan SET citus.allow_nested_distributed_execution = on
  SET max_parallel_workers_per_gather = 0
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_memoize = off
  SET enable_sort = off
  SET enable_bitmapscan = on
  SET work_mem = '32MB'
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  reading text[] := trellis.current_readers();
  scope text := trellis.search_scope(organization, p_parent, p_type);
  -- What must all match: in short texts, in long ones, or divided between them. None for a query of alternatives.
  operands tsquery[];
  -- Conditions that an index cannot decide: positions, and absent words.
  exact boolean := p_wanted::text ~ '[!<]' OR length(p_wanted::text) > 200;
  -- An index does not say whether a stem is one in the language of the text.
  has_stems boolean := p_wanted::text LIKE '%~%';
  joins boolean := p_wanted::text ~ '[&<]';
  divides boolean;
  alternates boolean;
  -- Whether some words must be absent from both.
  excludes boolean := p_wanted::text LIKE '%!%';
  is_frequent boolean;
  last_id CONSTANT uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  anything tsquery;
  ranking tsquery := p_wanted;
  found uuid[];
  editions integer[];
  others uuid[];
  other_editions integer[];
  are_all boolean;
BEGIN
  IF numnode(p_wanted) = 0 THEN
    RETURN;
  END IF;
  IF querytree(p_wanted) IN ('', 'T') THEN
    RETURN QUERY
      SELECT n.record_id, n.edition, n.created_at, 0::real, true
      FROM trellis.newest_records(organization, p_parent, p_type, p_published, reading, 'infinity', last_id, p_most) n
      WHERE (n.terms || coalesce((
        SELECT b.terms FROM trellis.search_bodies b
        WHERE b.organization_id = organization AND b.type = p_type AND b.record_id = n.record_id
          AND b.edition = n.edition), '')) @@ p_wanted;
    RETURN;
  END IF;
  operands := trellis.search_operands(p_wanted);
  -- Resources without long texts have no rows for them.
  divides := joins AND cardinality(operands) <> 1 AND EXISTS (
    SELECT FROM trellis.search_bodies b WHERE b.organization_id = organization AND b.type = p_type);
  alternates := cardinality(operands) = 0;
  anything := regexp_replace(replace(querytree(p_wanted), ' & ', ' | '), ' <(-|\d+)> ', ' | ', 'g')::tsquery;
  -- ts_rank compares the positions of every pair of words: 36 words took a third of a second for one record.
  IF regexp_count(p_wanted::text, '[&<]') > 3 THEN
    ranking := anything;
  END IF;
  WITH newest AS MATERIALIZED (
    SELECT n.terms, b.terms AS long
    FROM trellis.newest_records(organization, p_parent, p_type, p_published, reading, 'infinity', last_id, 40) n
    LEFT JOIN LATERAL (
      SELECT i.terms FROM trellis.search_bodies i
      WHERE i.organization_id = organization AND i.type = p_type AND i.record_id = n.record_id AND i.edition = n.edition
      OFFSET 0
    ) b ON true
  )
  SELECT (
    SELECT count(*) >= 10 FROM newest n
    WHERE NOT excludes AND n.terms @@ p_wanted OR n.long IS NOT NULL AND CASE
      WHEN excludes OR alternates THEN (n.terms || n.long) @@ p_wanted
      ELSE n.long @@ p_wanted OR divides AND NOT EXISTS (
        SELECT FROM unnest(operands) AS o (operand) WHERE NOT (n.terms @@ o.operand OR n.long @@ o.operand)) END
  ), CASE WHEN divides THEN ARRAY(
    SELECT o.operand FROM unnest(operands[1:4]) WITH ORDINALITY AS o (operand, place)
    ORDER BY (SELECT count(*) FROM newest n WHERE n.terms @@ o.operand OR n.long @@ o.operand), o.place) || operands[5:]
  ELSE operands END INTO is_frequent, operands;
  IF is_frequent THEN
    -- Unrestricted records, and those of the reader key with the most: no record is counted twice.
    SELECT (
      SELECT count(*) FROM (
        SELECT FROM trellis.search_records s
        WHERE s.organization_id = organization AND s.parent_id = p_parent AND s.type = p_type
          AND (s.listed_readers = s.readers) IS NOT TRUE AND trellis.may_read(s.readers, reading)
          AND (CASE WHEN p_published THEN s.published ELSE s.working END)
        ORDER BY s.created_at DESC, s.record_id DESC LIMIT 4 * p_most + 1
      ) open
    ) + coalesce((
      SELECT max(own.records) FROM unnest(reading) AS n (reader)
      CROSS JOIN LATERAL (
        SELECT count(*) AS records FROM (
          SELECT FROM trellis.search_readers r
          WHERE r.organization_id = organization AND r.parent_id = p_parent AND r.type = p_type AND r.reader = n.reader
          ORDER BY r.created_at DESC, r.record_id DESC LIMIT 4 * p_most + 1
        ) few
      ) own
    ), 0) > 4 * p_most INTO is_frequent;
  END IF;
  complete := NOT is_frequent;
  IF complete THEN
    SELECT array_agg(m.record_id), array_agg(m.edition), count(*) <= p_most INTO found, editions, complete
    FROM trellis.match_words(organization, p_parent, p_type, p_published, reading, p_wanted, p_most + 1) m;
  END IF;
  IF complete AND divides THEN
    SELECT array_agg(m.record_id), array_agg(m.edition), count(*) <= p_most INTO others, other_editions, are_all FROM (
      SELECT s.record_id, s.edition FROM (
        SELECT * FROM trellis.search_records i
        WHERE
        -- distributed: i.organization_id = organization AND
        trellis.search_keys(i.organization_id, i.parent_id, i.type, i.terms, NULL)
          @@ trellis.search_key_query(scope, anything, 's') OFFSET 0
      ) s
      WHERE s.organization_id = organization AND s.parent_id = p_parent AND s.type = p_type
        AND (CASE WHEN p_published THEN s.published ELSE s.working END)
        AND trellis.may_read(s.readers, reading)
      LIMIT p_most + 1
    ) m;
    IF NOT are_all AND NOT alternates THEN
      WITH rare AS MATERIALIZED (
        SELECT m.record_id, m.edition
        FROM trellis.match_words(organization, p_parent, p_type, p_published, reading, operands[1], 2 * p_most + 1) m
      )
      SELECT array_agg(m.record_id), array_agg(m.edition), count(*) <= p_most AND (SELECT count(*) FROM rare) <= 2 * p_most
      INTO others, other_editions, are_all FROM (
        SELECT * FROM rare
        EXCEPT
        SELECT * FROM unnest(found, editions) AS f (record_id, edition)
      ) m;
    END IF;
    IF NOT are_all THEN
      SELECT array_agg(n.record_id), array_agg(n.edition) INTO others, other_editions
      FROM trellis.newest_records(organization, p_parent, p_type, p_published, reading, 'infinity', last_id, 1000) n
      WHERE n.terms @@ anything;
    END IF;
    SELECT array_agg(m.record_id), array_agg(m.edition) INTO found, editions FROM (
      SELECT u.record_id, u.edition FROM unnest(found, editions) AS u (record_id, edition)
      UNION
      SELECT u.record_id, u.edition FROM (
        SELECT * FROM unnest(others, other_editions) AS o (record_id, edition)
        EXCEPT
        SELECT * FROM unnest(found, editions) AS f (record_id, edition)
      ) u
      JOIN LATERAL (
        SELECT i.terms FROM trellis.search_records i
        WHERE i.organization_id = organization AND i.type = p_type AND i.record_id = u.record_id AND i.edition = u.edition
        OFFSET 0
      ) s ON true
      JOIN LATERAL (
        SELECT i.terms FROM trellis.search_bodies i
        WHERE i.organization_id = organization AND i.type = p_type AND i.record_id = u.record_id AND i.edition = u.edition
        OFFSET 0
      ) b ON true
      WHERE CASE WHEN alternates THEN (s.terms || b.terms) @@ p_wanted ELSE NOT EXISTS (
        SELECT FROM unnest(operands) AS o (operand) WHERE NOT (s.terms @@ o.operand OR b.terms @@ o.operand)) END
    ) m;
  END IF;
  IF NOT complete THEN
    SELECT array_agg(m.record_id), array_agg(m.edition) INTO found, editions FROM (
      WITH newest AS MATERIALIZED (
        SELECT s.record_id, s.edition, s.terms, row_number() OVER () AS place
        FROM trellis.newest_records(organization, p_parent, p_type, p_published, reading, 'infinity', last_id, 1000) s
      ), named AS MATERIALIZED (
        SELECT n.record_id, n.edition FROM newest n WHERE n.terms @@ p_wanted LIMIT 200
      )
      SELECT n.record_id, n.edition FROM newest n WHERE n.place <= 200
      UNION
      SELECT n.record_id, n.edition FROM named n
      UNION
      (SELECT u.record_id, u.edition FROM unnest(found, editions) AS u (record_id, edition)
       LIMIT CASE WHEN (SELECT count(*) FROM named) < 100 THEN 200 ELSE 0 END)
    ) m;
    exact := true;
  END IF;
  RETURN QUERY
    SELECT r.record_id, r.edition, r.created_at, r.score, rank_records.complete FROM (
      SELECT s.record_id, s.edition, s.created_at,
        ts_rank(s.terms, ranking) + coalesce(ts_rank(b.terms, ranking), 0) AS score,
        CASE
          WHEN excludes OR alternates AND joins THEN (s.terms || coalesce(b.terms, '')) @@ p_wanted
          WHEN joins AND (exact OR has_stems) THEN s.terms @@ p_wanted OR coalesce(b.terms @@ p_wanted, false) OR divides
            AND NOT EXISTS (SELECT FROM unnest(operands) AS o (operand)
              WHERE NOT (s.terms @@ o.operand OR coalesce(b.terms @@ o.operand, false)))
        END AS matches
      FROM unnest(found, editions) AS u (record_id, edition)
      JOIN LATERAL (
        SELECT * FROM trellis.search_records i
        WHERE i.organization_id = organization AND i.type = p_type AND i.record_id = u.record_id AND i.edition = u.edition
        OFFSET 0
      ) s ON true
      LEFT JOIN LATERAL (
        SELECT i.terms FROM trellis.search_bodies i
        WHERE i.organization_id = organization AND i.type = p_type AND i.record_id = u.record_id AND i.edition = u.edition
        OFFSET 0
      ) b ON true
      OFFSET 0
    ) r
    -- A text matches one of the alternatives exactly if it has a rank.
    WHERE coalesce(r.matches, joins OR r.score > 0);
END $$;

REVOKE ALL ON FUNCTION trellis.rank_records FROM PUBLIC;
ALTER FUNCTION trellis.rank_records OWNER TO trellis_search;
