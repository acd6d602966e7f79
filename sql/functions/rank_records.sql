-- Ranked matches of one type, in short or long texts. Up to p_most matches, all are ranked (`complete`). Of more, it ranks those
-- among the newest 200 records, up to 200 of the newest 1,000 with a match in short texts, and, if these are fewer than 100, up to 200 others
-- with a match in short texts: for very common terms, recency matters more than rank.
-- It also assumes more matches if a quarter of the newest 40 records match and there are more than 4 × p_most records, because reading all
-- matches from the index would then dominate the cost.
-- Word order and proximity count in queries of up to four words; in longer ones only the number and weight of matches.
-- A record whose short texts have changed is read individually until the copies beside its long texts are replaced, because the index
-- of long texts is out of date for it. The limits are 200 such records, and 200 being reindexed as a whole. Beyond them, no record is
-- found by words it no longer has, but a word of a new title combined with one of the body may miss it.
CREATE OR REPLACE FUNCTION trellis.rank_records(p_type text, p_parent uuid, p_published boolean, p_wanted tsquery, p_most integer)
  RETURNS TABLE (record_id uuid, edition integer, created_at timestamptz, score real, complete boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
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
  short_keys tsquery := trellis.search_key_query(scope, p_wanted, 's');
  body_keys tsquery := trellis.search_key_query(scope, p_wanted, 'sw');
  -- Conditions that an index cannot decide: positions, and absent words.
  exact boolean := p_wanted::text ~ '[!<]' OR length(p_wanted::text) > 200;
  -- An index does not say whether a stem is one in the language of the text.
  has_stems boolean := p_wanted::text LIKE '%~%';
  -- Whether the words may be divided between short and long texts, and whether some must be absent from both.
  joins boolean := p_wanted::text ~ '[&<]';
  excludes boolean := p_wanted::text LIKE '%!%';
  is_frequent boolean;
  last_id CONSTANT uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  most_changed CONSTANT integer := 200;
  changed uuid[];
  beyond boolean;
  anything tsquery;
  ranking tsquery := p_wanted;
  found uuid[];
  editions integer[];
BEGIN
  IF numnode(p_wanted) = 0 THEN
    RETURN;
  END IF;
  IF short_keys IS NULL THEN
    RETURN QUERY
      SELECT n.record_id, n.edition, n.created_at, 0::real, true
      FROM trellis.newest_records(organization, p_parent, p_type, p_published, reading, 'infinity', last_id, p_most) n
      WHERE (n.terms || coalesce((
        SELECT b.terms FROM trellis.search_bodies b
        WHERE b.organization_id = organization AND b.type = p_type AND b.record_id = n.record_id
          AND b.edition = n.edition), '')) @@ p_wanted;
    RETURN;
  END IF;
  -- Records being reindexed as a whole may be many and unchanged, so changed ones come first.
  SELECT coalesce(array_agg(m.record_id), '{}'), coalesce(max(m.number) = most_changed, false) INTO changed, beyond FROM (
    (SELECT i.record_id, row_number() OVER () AS number FROM trellis.search_marks i
     WHERE i.organization_id = organization AND i.type = p_type AND i.parent_id = p_parent AND i.editions = '{}' AND NOT i.whole
     LIMIT most_changed)
    UNION ALL
    (SELECT i.record_id, row_number() OVER () AS number FROM trellis.search_marks i
     WHERE i.organization_id = organization AND i.type = p_type AND i.parent_id = p_parent AND i.editions = '{}' AND i.whole
     LIMIT most_changed)
  ) m;
  -- The index of long texts may have old words of further records, so every match is compared with its stored words.
  exact := exact OR beyond;
  anything := regexp_replace(replace(querytree(p_wanted), ' & ', ' | '), ' <(-|\d+)> ', ' | ', 'g')::tsquery;
  -- ts_rank compares the positions of every pair of words: 36 words took a third of a second for one record.
  IF regexp_count(p_wanted::text, '[&<]') > 3 THEN
    ranking := anything;
  END IF;
  SELECT count(*) >= 10 INTO is_frequent
  FROM trellis.newest_records(organization, p_parent, p_type, p_published, reading, 'infinity', last_id, 40) n
  WHERE NOT excludes AND n.terms @@ p_wanted OR EXISTS (
    SELECT FROM trellis.search_bodies b
    WHERE b.organization_id = organization AND b.type = p_type AND b.record_id = n.record_id AND b.edition = n.edition
      AND (NOT excludes AND b.terms @@ p_wanted OR (joins OR excludes) AND (n.terms || b.terms) @@ p_wanted)
    OFFSET 0);
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
    SELECT array_agg(m.record_id), array_agg(m.edition), count(*) <= p_most INTO found, editions, complete FROM (
      SELECT s.record_id, s.edition FROM (
        SELECT * FROM trellis.search_records i
        WHERE trellis.search_keys(i.organization_id, i.parent_id, i.type, i.terms, NULL) @@ short_keys OFFSET 0
      ) s
      WHERE s.organization_id = organization AND s.parent_id = p_parent AND s.type = p_type
        AND (CASE WHEN p_published THEN s.published ELSE s.working END)
        AND trellis.may_read(s.readers, reading)
      LIMIT p_most + 1
    ) m;
  END IF;
  IF complete THEN
    SELECT array_agg(m.record_id), array_agg(m.edition), count(*) <= p_most INTO found, editions, complete FROM (
      SELECT u.record_id, u.edition FROM unnest(found, editions) AS u (record_id, edition)
      UNION
      SELECT l.record_id, l.edition FROM (
        SELECT b.record_id, b.edition FROM (
          SELECT i.organization_id, i.parent_id, i.type, i.record_id, i.edition FROM trellis.search_bodies i
          WHERE trellis.search_keys(i.organization_id, i.parent_id, i.type, i.short_terms, i.terms) @@ body_keys OFFSET 0
        ) b
        JOIN LATERAL (
          SELECT FROM trellis.search_records s
          WHERE s.organization_id = organization AND s.type = p_type AND s.record_id = b.record_id AND s.edition = b.edition
            AND (CASE WHEN p_published THEN s.published ELSE s.working END)
            AND trellis.may_read(s.readers, reading)
          OFFSET 0
        ) s ON true
        WHERE b.organization_id = organization AND b.parent_id = p_parent AND b.type = p_type
        LIMIT p_most + 1
      ) l
      UNION
      SELECT s.record_id, s.edition FROM unnest(changed) AS c (record_id)
      JOIN LATERAL (
        SELECT i.record_id, i.edition, i.terms FROM trellis.search_records i
        WHERE i.organization_id = organization AND i.type = p_type AND i.record_id = c.record_id
          AND (CASE WHEN p_published THEN i.published ELSE i.working END)
          AND trellis.may_read(i.readers, reading) AND i.terms @@ anything
        OFFSET 0
      ) s ON true
      JOIN LATERAL (
        SELECT i.terms FROM trellis.search_bodies i
        WHERE i.organization_id = organization AND i.type = p_type AND i.record_id = s.record_id AND i.edition = s.edition
        OFFSET 0
      ) b ON true
      WHERE (s.terms || b.terms) @@ p_wanted
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
          WHEN excludes THEN (s.terms || coalesce(b.terms, '')) @@ p_wanted
          WHEN joins AND (exact OR has_stems OR s.record_id = ANY (changed)) THEN s.terms @@ p_wanted
            OR coalesce(b.terms @@ p_wanted OR (s.terms || b.terms) @@ p_wanted, false)
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
