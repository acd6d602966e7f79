-- The functions that search the two layers, and what was there before them brought into these.
--
-- They run as trellis_search, which nobody can log in as: below row-level security PostgreSQL may not use an index for
-- operators of text. Each takes the organization from the transaction's own setting and gives ids and scores only.

-- Evaluated as a condition on rows these are expensive: the planner is to use the indexes that contain their results.
ALTER FUNCTION trellis.search_keys COST 100000;
ALTER FUNCTION trellis.search_grams COST 100000;

-- A query's words as index keys of one scope. `p_kinds`: `s`, `w` or both. NULL: nothing that an index knows must be there.
CREATE FUNCTION trellis.search_key_query(p_scope text, p_wanted tsquery, p_kinds text) RETURNS tsquery
  LANGUAGE plpgsql IMMUTABLE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  -- One quoted word, of which an index has the first 200 characters.
  word CONSTANT text := '''((?:[^''\\]|''''|\\\\){1,200})(?:[^''\\]|''''|\\\\)*''(:\*)?';
  needed text := querytree(p_wanted);
BEGIN
  IF needed IN ('', 'T') THEN
    RETURN NULL;
  END IF;
  -- Where words stand is not in the index: of a phrase all words must be there.
  needed := regexp_replace(needed, ' <(-|\d+)> ', ' & ', 'g');
  RETURN regexp_replace(needed, word, CASE p_kinds
    WHEN 'sw' THEN format('( ''%1$ss\1''\2 | ''%1$sw\1''\2 )', p_scope)
    ELSE format('''%s%s\1''\2', p_scope, p_kinds) END, 'g')::tsquery;
END $$;

-- The groups of bytes that a text must have to contain another one, as index keys.
CREATE FUNCTION trellis.search_gram_query(p_scope text, p_text text) RETURNS tsquery
  LANGUAGE plpgsql IMMUTABLE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  bytes bytea := convert_to(p_text, 'UTF8');
BEGIN
  IF length(bytes) < 3 THEN
    RETURN format('''%s%s'':*', p_scope, encode(bytes, 'hex'))::tsquery;
  END IF;
  -- More than forty select nothing more.
  RETURN (SELECT string_agg(DISTINCT format('''%s%s''', p_scope, encode(substring(bytes FROM place FOR 3), 'hex')), ' & ')
          FROM generate_series(1, least(length(bytes) - 2, 40)) AS place)::tsquery;
END $$;

-- A query: web-search syntax, and a tsquery for the word still being typed (or ''). The words of p_stems also stand for those
-- of the same stem in the languages that PostgreSQL knows; not where words are excluded or must stand side by side.
CREATE FUNCTION trellis.search_query(p_words text, p_prefix text, p_stems text[]) RETURNS tsquery
  LANGUAGE plpgsql STABLE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  wanted tsquery := websearch_to_tsquery('simple', p_words);
  typed tsquery := to_tsquery('simple', p_prefix);
  word text;
  stems tsquery;
BEGIN
  IF wanted::text !~ '[!<]' THEN
    FOREACH word IN ARRAY p_stems LOOP
      SELECT string_agg(DISTINCT quote_literal('~' || stem), ' | ')::tsquery INTO stems
      FROM trellis.search_stems(word) AS stem;
      CONTINUE WHEN stems IS NULL;
      -- One after the other: ts_rewrite takes a word and the beginning of a word for the same.
      wanted := ts_rewrite(wanted, quote_literal(word)::tsquery, quote_literal(word)::tsquery || stems);
      IF typed::text = quote_literal(word) || ':*' THEN
        typed := typed || stems;
      END IF;
    END LOOP;
  END IF;
  RETURN CASE WHEN numnode(wanted) = 0 THEN typed WHEN numnode(typed) = 0 THEN wanted ELSE wanted && typed END;
END $$;

-- The stems of a folded word in every language that PostgreSQL knows, each once.
CREATE FUNCTION trellis.search_stems(p_word text) RETURNS SETOF text
  LANGUAGE sql STABLE SET search_path = trellis, public, pg_temp
AS $$
  SELECT DISTINCT stem FROM pg_ts_dict d
    JOIN pg_namespace n ON n.oid = d.dictnamespace AND n.nspname = 'pg_catalog',
    unnest(ts_lexize(d.oid::regdictionary, p_word)) AS stem
  WHERE d.dictname LIKE '%\_stem' AND p_word !~ '\d'
$$;

-- Inside of the functions below the condition on an index of keys stands alone (OFFSET 0): next to the organization the planner
-- would take another index, and ask the condition of every row, whenever statistics are missing.

-- Records whose short or long texts match, ranked; of one type. All of them if they are p_most at most (`complete`). Of more,
-- up to 500 with matches in short texts, and those among the newest 300; where fewer than 200 match in short texts, also 300
-- others: what is searched for so generally is not meant so exactly.
CREATE FUNCTION trellis.rank_records(p_type text, p_parent uuid, p_published boolean, p_wanted tsquery, p_most integer)
  RETURNS TABLE (record_id uuid, edition integer, created_at timestamptz, score real, complete boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
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
  -- What the indexes do not tell: where words stand, and which are missing.
  exact boolean := p_wanted::text ~ '[!<]' OR length(p_wanted::text) > 200;
  amount integer;
  found uuid[];
  editions integer[];
  short_count integer;
BEGIN
  IF numnode(p_wanted) = 0 THEN
    RETURN;
  END IF;
  IF short_keys IS NULL THEN
    RETURN QUERY
      SELECT n.record_id, n.edition, n.created_at, 0::real, true FROM (
        SELECT s.record_id, s.edition, s.created_at, s.terms FROM trellis.search_records s
        WHERE s.organization_id = organization AND s.parent_id = p_parent AND s.type = p_type
          AND (CASE WHEN p_published THEN s.published ELSE s.working END)
          AND (s.readers IS NULL OR s.readers && reading)
        ORDER BY s.created_at DESC, s.record_id DESC LIMIT p_most
      ) n
      WHERE (n.terms || coalesce((
        SELECT b.terms FROM trellis.search_bodies b
        WHERE b.organization_id = organization AND b.type = p_type AND b.record_id = n.record_id
          AND b.edition = n.edition), '')) @@ p_wanted;
    RETURN;
  END IF;
  SELECT array_agg(m.record_id), array_agg(m.edition), count(*) INTO found, editions, short_count FROM (
    SELECT s.record_id, s.edition FROM (
      SELECT * FROM trellis.search_records i
      WHERE trellis.search_keys(i.organization_id, i.parent_id, i.type, i.terms, NULL) @@ short_keys OFFSET 0
    ) s
    WHERE s.organization_id = organization AND s.parent_id = p_parent AND s.type = p_type
      AND (CASE WHEN p_published THEN s.published ELSE s.working END)
      AND (s.readers IS NULL OR s.readers && reading)
    LIMIT p_most + 1
  ) m;
  SELECT array_agg(m.record_id), array_agg(m.edition), count(*) INTO found, editions, amount FROM (
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
          AND (s.readers IS NULL OR s.readers && reading)
        OFFSET 0
      ) s ON true
      WHERE b.organization_id = organization AND b.parent_id = p_parent AND b.type = p_type
      LIMIT p_most + 1
    ) l
  ) m;
  complete := amount <= p_most;
  IF NOT complete THEN
    SELECT array_agg(m.record_id), array_agg(m.edition) INTO found, editions FROM (
      (SELECT u.record_id, u.edition FROM unnest(found, editions) AS u (record_id, edition)
       LIMIT CASE WHEN short_count < 200 THEN short_count + 300 ELSE least(short_count, 500) END)
      UNION
      (SELECT s.record_id, s.edition FROM trellis.search_records s
       WHERE s.organization_id = organization AND s.parent_id = p_parent AND s.type = p_type
         AND (CASE WHEN p_published THEN s.published ELSE s.working END)
         AND (s.readers IS NULL OR s.readers && reading)
       ORDER BY s.created_at DESC, s.record_id DESC LIMIT 300)
    ) m;
    exact := true;
  END IF;
  RETURN QUERY
    SELECT r.record_id, r.edition, r.created_at, r.score, rank_records.complete FROM (
      SELECT s.record_id, s.edition, s.created_at,
        ts_rank(s.terms, p_wanted) + coalesce(ts_rank(b.terms, p_wanted), 0) AS score,
        exact AND NOT (s.terms || coalesce(b.terms, '')) @@ p_wanted AS wrong
      FROM unnest(found, editions) AS u (record_id, edition)
      JOIN LATERAL (
        SELECT * FROM trellis.search_records i
        WHERE i.organization_id = organization AND i.type = p_type AND i.record_id = u.record_id AND i.edition = u.edition
        OFFSET 0
      ) s ON true
      LEFT JOIN LATERAL (
        SELECT * FROM trellis.search_bodies i
        WHERE i.organization_id = organization AND i.type = p_type AND i.record_id = u.record_id AND i.edition = u.edition
        OFFSET 0
      ) b ON true
    ) r
    WHERE NOT r.wrong;
END $$;

-- One page of matches among some types, best first, then newest.
CREATE FUNCTION trellis.find_records(
  p_types text[], p_parent uuid, p_published boolean, p_words text, p_prefix text, p_stems text[], p_most integer,
  p_after_score real, p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, score real, created_at timestamptz, edition integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
  SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  wanted tsquery := trellis.search_query(p_words, p_prefix, p_stems);
BEGIN
  RETURN QUERY
    SELECT t.type, r.record_id, r.score, r.created_at, r.edition
    FROM unnest(p_types) AS t (type),
      LATERAL trellis.rank_records(t.type, p_parent, p_published, wanted, p_most) r
    WHERE p_after_id IS NULL OR (r.score, r.created_at, r.record_id) < (p_after_score, p_after_created, p_after_id)
    ORDER BY r.score DESC, r.created_at DESC, r.record_id DESC
    LIMIT p_limit;
END $$;

-- Records with a name or title that has all of some texts but one typo: candidates, which the caller compares letter by
-- letter. `p_parts`: for the longest word of the query, texts of which one stands in every word within one edit of it.
CREATE FUNCTION trellis.find_similar(
  p_types text[], p_parent uuid, p_published boolean, p_parts text[], p_query text, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, folded text, score real, created_at timestamptz, edition integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
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
          WHERE trellis.search_grams(i.organization_id, i.parent_id, i.type, i.folded) @@ keys OFFSET 0
        ) x
        JOIN LATERAL (
          SELECT s.created_at FROM trellis.search_records s
          WHERE s.organization_id = organization AND s.type = kind AND s.record_id = x.record_id
            AND s.edition = x.edition AND (CASE WHEN p_published THEN s.published ELSE s.working END)
            AND (s.readers IS NULL OR s.readers && reading)
          OFFSET 0
        ) s ON true
        WHERE x.organization_id = organization AND x.parent_id = p_parent AND x.type = kind AND x.part = 1
        LIMIT 5000
      ) c
      ORDER BY score DESC, c.created_at DESC, c.record_id DESC
      LIMIT p_limit;
  END LOOP;
END $$;

-- Versions of records of which a short text contains one of some folded texts, or whose long texts have all words of a query;
-- p_limit at most of each (`complete`: there are no more), in no order, some of them twice, whoever may see them.
CREATE FUNCTION trellis.filter_candidates(
  p_type text, p_parent uuid, p_texts text[], p_words text, p_prefix text, p_limit integer)
  RETURNS TABLE (record_id uuid, edition integer, created_at timestamptz, complete boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = on
  SET work_mem = '32MB'
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  scope text := trellis.search_scope(organization, p_parent, p_type);
  wanted tsquery := trellis.filter_query(p_words, p_prefix);
  keys tsquery;
  contained text;
BEGIN
  FOREACH contained IN ARRAY p_texts LOOP
    keys := trellis.search_gram_query(scope, contained);
    RETURN QUERY
      SELECT m.record_id, m.edition, m.created_at, count(*) OVER () <= p_limit FROM (
        SELECT x.record_id, x.edition, x.created_at FROM (
          SELECT * FROM trellis.search_texts i
          WHERE trellis.search_grams(i.organization_id, i.parent_id, i.type, i.folded) @@ keys OFFSET 0
        ) x
        WHERE x.organization_id = organization AND x.parent_id = p_parent AND x.type = p_type
          AND strpos(x.folded, contained) > 0
        LIMIT p_limit + 1
      ) m;
  END LOOP;
  keys := trellis.search_key_query(scope, wanted, 'w');
  IF keys IS NOT NULL THEN
    RETURN QUERY
      SELECT m.record_id, m.edition, m.created_at, count(*) OVER () <= p_limit FROM (
        SELECT b.record_id, b.edition, b.created_at FROM (
          SELECT * FROM trellis.search_bodies i
          WHERE trellis.search_keys(i.organization_id, i.parent_id, i.type, i.short_terms, i.terms) @@ keys OFFSET 0
        ) b
        WHERE b.organization_id = organization AND b.parent_id = p_parent AND b.type = p_type
          -- Parts of a compound must stand side by side; where there is none, nothing is read of the words.
          AND CASE WHEN wanted::text ~ '<' THEN b.terms @@ wanted ELSE true END
        LIMIT p_limit + 1
      ) m;
  END IF;
END $$;

-- Those of the candidates that the caller may see, in the perspective.
CREATE FUNCTION trellis.match_records(
  p_type text, p_parent uuid, p_published boolean, p_texts text[], p_words text, p_prefix text, p_limit integer)
  RETURNS TABLE (record_id uuid, complete boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
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
        AND (s.readers IS NULL OR s.readers && reading)
      OFFSET 0
    ) s ON true;
END $$;

-- The words of a list's filter: all of them, the last one as a beginning.
CREATE FUNCTION trellis.filter_query(p_words text, p_prefix text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = trellis, public, pg_temp
AS $$
  SELECT CASE WHEN numnode(words) = 0 THEN typed WHEN numnode(typed) = 0 THEN words ELSE words && typed END
  FROM (SELECT plainto_tsquery('simple', p_words) AS words, to_tsquery('simple', p_prefix) AS typed) q
$$;

-- A page of records in the order of their creation whose texts match as in match_records. Two ways are taken by turns, each
-- a step further every time: through the records in order, which is short for frequent texts, and through all matches, which
-- is short for rare ones. Which is the shorter one need not be known, and costs at most about twice as much.
CREATE FUNCTION trellis.filter_page(
  p_type text, p_parent uuid, p_published boolean, p_texts text[], p_words text, p_prefix text, p_descending boolean,
  p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (record_id uuid, created_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 26
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
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
  steps CONSTANT integer[] := ARRAY[200, 4000, 2147483647];
  matches CONSTANT integer[] := ARRAY[2000, 20000, 0];
  patterns text[] := ARRAY(
    SELECT '%' || regexp_replace(contained, '([\\%_])', '\\\1', 'g') || '%' FROM unnest(p_texts) AS contained);
  ids uuid[];
  editions integer[];
  instants timestamptz[];
  complete boolean;
BEGIN
  FOR turn IN 1 .. 3 LOOP
    IF p_descending THEN
      SELECT array_agg(m.record_id), array_agg(m.created_at) INTO ids, instants FROM (
        SELECT n.record_id, n.created_at FROM (
          SELECT s.record_id, s.created_at, s.edition FROM trellis.search_records s
          WHERE s.organization_id = organization AND s.parent_id = p_parent AND s.type = p_type
            AND (CASE WHEN p_published THEN s.published ELSE s.working END)
            AND (s.readers IS NULL OR s.readers && reading) AND (s.created_at, s.record_id) < (after_created, after_id)
          ORDER BY s.created_at DESC, s.record_id DESC LIMIT steps[turn]
        ) n
        WHERE EXISTS (SELECT FROM trellis.search_texts x
            WHERE x.organization_id = organization AND x.type = p_type AND x.record_id = n.record_id
              AND x.edition = n.edition AND x.folded LIKE ANY (patterns) OFFSET 0)
          OR has_words AND EXISTS (SELECT FROM trellis.search_bodies b
            WHERE b.organization_id = organization AND b.type = p_type AND b.record_id = n.record_id
              AND b.edition = n.edition AND b.terms @@ wanted OFFSET 0)
        LIMIT p_limit
      ) m;
    ELSE
      SELECT array_agg(m.record_id), array_agg(m.created_at) INTO ids, instants FROM (
        SELECT n.record_id, n.created_at FROM (
          SELECT s.record_id, s.created_at, s.edition FROM trellis.search_records s
          WHERE s.organization_id = organization AND s.parent_id = p_parent AND s.type = p_type
            AND (CASE WHEN p_published THEN s.published ELSE s.working END)
            AND (s.readers IS NULL OR s.readers && reading) AND (s.created_at, s.record_id) > (after_created, after_id)
          ORDER BY s.created_at, s.record_id LIMIT steps[turn]
        ) n
        WHERE EXISTS (SELECT FROM trellis.search_texts x
            WHERE x.organization_id = organization AND x.type = p_type AND x.record_id = n.record_id
              AND x.edition = n.edition AND x.folded LIKE ANY (patterns) OFFSET 0)
          OR has_words AND EXISTS (SELECT FROM trellis.search_bodies b
            WHERE b.organization_id = organization AND b.type = p_type AND b.record_id = n.record_id
              AND b.edition = n.edition AND b.terms @@ wanted OFFSET 0)
        LIMIT p_limit
      ) m;
    END IF;
    IF turn = 3 OR cardinality(ids) >= p_limit THEN
      RETURN QUERY SELECT u.* FROM unnest(ids, instants) AS u;
      RETURN;
    END IF;
    SELECT array_agg(c.record_id), array_agg(c.edition), array_agg(c.created_at), bool_and(c.complete)
      INTO ids, editions, instants, complete
      FROM trellis.filter_candidates(p_type, p_parent, p_texts, p_words, p_prefix, matches[turn]) c;
    IF complete IS NOT FALSE THEN
      -- In the list's order, and who may see them is asked of one after the other until the page is full.
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
            AND (s.readers IS NULL OR s.readers && reading)
          OFFSET 0
        ) s ON true
        LIMIT p_limit;
      RETURN;
    END IF;
  END LOOP;
END $$;

-- Files whose metadata or text match. A word may stand on one page and another on the next: a file's row in search_bodies
-- knows the words of the whole (as far as they are indexed), the pages those of each. With each file comes the page that
-- shows best why.
CREATE FUNCTION trellis.find_files(
  p_parent uuid, p_words text, p_prefix text, p_stems text[], p_most integer,
  p_after_score real, p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, score real, created_at timestamptz, page integer, part integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
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
  phrases boolean := wanted::text LIKE '%<%';
  lexeme CONSTANT text := '''(?:[^'']|'''')*''';
  excluded tsquery;
  anywhere boolean;
BEGIN
  -- The same words, any of which will do for a page to be shown.
  IF querytree(wanted) NOT IN ('', 'T') THEN
    anything := regexp_replace(replace(querytree(wanted), ' & ', ' | '), ' <(-|\d+)> ', ' | ', 'g')::tsquery;
  END IF;
  -- Words and phrases that must stand nowhere: that a page lacks them says nothing of the other pages.
  SELECT string_agg(operand[1], ' | ')::tsquery INTO excluded
  FROM regexp_matches(wanted::text, format('!(%1$s|\( %1$s(?: <(?:-|\d+)> %1$s)* \))|%1$s', lexeme), 'g') AS operand;
  -- Behind an OR they need not be excluded from all.
  anywhere := excluded IS NULL OR wanted::text LIKE '% | %';
  RETURN QUERY
    WITH known AS MATERIALIZED (
      SELECT * FROM trellis.rank_records('knowledge-file', p_parent, false, wanted, p_most)
    ), amount AS MATERIALIZED (
      SELECT EXISTS (SELECT FROM known k WHERE NOT k.complete) AS beyond
    ), places AS MATERIALIZED (
      SELECT p.file_id, p.terms FROM (
        SELECT * FROM trellis.knowledge_pages i
        WHERE trellis.search_keys(i.organization_id, i.organization_id, 'page', NULL, i.terms) @@ keys AND i.beyond_entry
        OFFSET 0
      ) p
      WHERE NOT (SELECT beyond FROM amount) AND p.organization_id = organization AND p.terms @@ wanted
      UNION ALL
      -- Where words stand the row of a whole file does not know exactly (256 places of each at most).
      SELECT p.file_id, p.terms FROM (
        SELECT * FROM trellis.knowledge_pages i
        WHERE trellis.search_keys(i.organization_id, i.organization_id, 'page', NULL, i.terms) @@ keys OFFSET 0
      ) p
      WHERE phrases AND NOT (SELECT beyond FROM amount) AND p.organization_id = organization AND p.terms @@ wanted
        AND NOT p.beyond_entry AND NOT p.file_id IN (SELECT k.record_id FROM known k)
    ), pages AS MATERIALIZED (
      SELECT e.record_id, e.created_at, ts_rank(p.terms, wanted) AS score
      FROM places p JOIN LATERAL (
        SELECT s.record_id, s.created_at FROM trellis.search_records s
        LEFT JOIN trellis.search_bodies b ON b.organization_id = s.organization_id AND b.type = s.type
          AND b.record_id = s.record_id AND b.edition = s.edition
        WHERE s.organization_id = organization AND s.type = 'knowledge-file' AND s.record_id = p.file_id
          AND (s.readers IS NULL OR s.readers && reading)
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
      -- A file's row knows the words of the beginning of a long text only.
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
      ORDER BY ts_rank(p.terms, wanted) DESC, ts_rank(p.terms, anything) DESC, p.page, p.part
      LIMIT 1
    ) best ON true
    ORDER BY s.score DESC, s.created_at DESC, s.record_id DESC;
END $$;

DO $$
DECLARE
  name text;
BEGIN
  GRANT CREATE ON SCHEMA trellis TO trellis_search;
  FOREACH name IN ARRAY ARRAY['rank_records', 'find_records', 'find_similar', 'filter_candidates', 'match_records', 'filter_page',
    'find_files']
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION trellis.%I FROM PUBLIC', name);
    IF name NOT IN ('rank_records', 'filter_candidates') THEN
      EXECUTE format('GRANT EXECUTE ON FUNCTION trellis.%I TO trellis_api', name);
    END IF;
    EXECUTE format('ALTER FUNCTION trellis.%I OWNER TO trellis_search', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA trellis FROM trellis_search;
END $$;

-- What is there already: found by its name at once, and completely when the indexer has been through the marks. The table
-- search_entries stays for servers of the previous release that still run; it goes with a later one.
INSERT INTO trellis.search_records
    (organization_id, type, record_id, edition, parent_id, created_at, working, published, readers, terms)
  SELECT e.organization_id, e.type, e.record_id, coalesce(a.working_version, 0), e.parent_id, e.created_at, true,
    coalesce(a.published_version = a.working_version, a.id IS NULL), e.readers, ts_filter(e.terms, '{a,b}')
  FROM trellis.search_entries e
  LEFT JOIN trellis.articles a ON e.type = 'article' AND a.organization_id = e.organization_id
    AND a.site_id = e.parent_id AND a.id = e.record_id;
INSERT INTO trellis.search_texts (organization_id, type, record_id, edition, part, parent_id, created_at, folded)
  SELECT r.organization_id, r.type, r.record_id, r.edition, 1, r.parent_id, r.created_at, e.folded_title
  FROM trellis.search_records r JOIN trellis.search_entries e USING (organization_id, type, record_id)
  WHERE e.folded_title <> '';
INSERT INTO trellis.search_bodies
    (organization_id, type, record_id, edition, parent_id, created_at, source, short_terms, terms)
  SELECT r.organization_id, r.type, r.record_id, r.edition, r.parent_id, r.created_at, 0, r.terms, e.content_terms
  FROM trellis.search_records r JOIN trellis.search_entries e USING (organization_id, type, record_id)
  WHERE e.content_terms IS NOT NULL;
INSERT INTO trellis.search_marks
    (organization_id, type, record_id, parent_id, number, editions, whole, available_at, attempts)
  SELECT organization_id, type, record_id, parent_id, 1, '{}', true, now(), 0 FROM trellis.search_entries;
