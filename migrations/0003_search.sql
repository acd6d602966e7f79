-- Text search. `@@` and LIKE are not leakproof, so PostgreSQL may not use an index for them below row-level security:
-- it would first fetch every row of the organization. The entries are therefore also readable by the role
-- trellis_search, which nobody can log in as and which owns only the functions below: each reads the organization from
-- the transaction's own setting and returns nothing but ids and scores of that organization. Records themselves are
-- always read by the caller's role, under row-level security.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE trellis.search_entries (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  -- The site of an article, category or tag; the organization itself for resources without a parent.
  parent_id uuid NOT NULL,
  record_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  title text NOT NULL,
  -- Folded (case and accents) title alone, and all searchable text.
  folded_title text NOT NULL,
  folded_text text NOT NULL,
  title_terms tsvector NOT NULL,
  terms tsvector NOT NULL,
  PRIMARY KEY (organization_id, type, record_id)
);
CREATE INDEX search_entries_terms ON trellis.search_entries
  USING gin (organization_id uuid_ops, parent_id uuid_ops, terms);
CREATE INDEX search_entries_title_terms ON trellis.search_entries
  USING gin (organization_id uuid_ops, parent_id uuid_ops, title_terms);
CREATE INDEX search_entries_text ON trellis.search_entries
  USING gin (organization_id uuid_ops, parent_id uuid_ops, folded_text gin_trgm_ops);
CREATE INDEX search_entries_title ON trellis.search_entries
  USING gin (organization_id uuid_ops, parent_id uuid_ops, folded_title gin_trgm_ops);

ALTER TABLE trellis.search_entries ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.search_entries TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY search ON trellis.search_entries FOR SELECT TO trellis_search USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.search_entries TO trellis_api;
GRANT SELECT ON trellis.search_entries TO trellis_search;

-- The newest entries first, for words so common that not every match can be ranked.
CREATE INDEX search_entries_newest ON trellis.search_entries (organization_id, parent_id, created_at DESC, record_id DESC);

-- Ids of the entries of one type whose text contains the pattern (LIKE syntax, folded), at most p_limit of them.
-- The settings make the trigram index the only plan: estimates for "contains" are too poor to choose by.
CREATE FUNCTION trellis.match_text(p_type text, p_parent uuid, p_pattern text, p_limit integer)
  RETURNS TABLE (record_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_indexscan = off
AS $$
DECLARE
  organization uuid := trellis.current_organization();
BEGIN
  RETURN QUERY
    SELECT e.record_id FROM trellis.search_entries e
    WHERE e.organization_id = organization AND e.parent_id = p_parent AND e.type = p_type
      AND e.folded_text LIKE p_pattern
    LIMIT p_limit;
END $$;

-- Ranked matches of a query among some types. p_words is web-search syntax, p_prefix a tsquery for the word still being
-- typed (or ''). At most p_candidates title matches and p_candidates other matches are ranked; when there are more, the
-- newest entries are looked at as well, so that recent matches of common words are never missing.
-- Pages by (score, created_at, record_id), all descending.
CREATE FUNCTION trellis.search(
  p_types text[], p_parent uuid, p_words text, p_prefix text, p_candidates integer,
  p_after_score real, p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, score real, created_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  wanted tsquery := websearch_to_tsquery('simple', p_words);
BEGIN
  IF p_prefix <> '' THEN
    wanted := CASE WHEN numnode(wanted) = 0 THEN to_tsquery('simple', p_prefix)
                   ELSE wanted && to_tsquery('simple', p_prefix) END;
  END IF;
  RETURN QUERY
    WITH titles AS MATERIALIZED (
      SELECT e.type, e.record_id, e.created_at, e.terms FROM trellis.search_entries e
      WHERE e.organization_id = organization AND e.parent_id = p_parent AND e.title_terms @@ wanted
        AND e.terms @@ wanted AND e.type = ANY (p_types)
      LIMIT p_candidates
    ), texts AS MATERIALIZED (
      SELECT e.type, e.record_id, e.created_at, e.terms FROM trellis.search_entries e
      WHERE e.organization_id = organization AND e.parent_id = p_parent AND e.terms @@ wanted
        AND e.type = ANY (p_types)
      LIMIT p_candidates
    ), newest AS MATERIALIZED (
      SELECT e.type, e.record_id, e.created_at, e.terms FROM (
        SELECT * FROM trellis.search_entries n
        WHERE n.organization_id = organization AND n.parent_id = p_parent
        ORDER BY n.created_at DESC, n.record_id DESC LIMIT p_candidates
      ) e
      WHERE (SELECT count(*) FROM texts) >= p_candidates AND e.terms @@ wanted AND e.type = ANY (p_types)
    ), ranked AS (
      SELECT DISTINCT ON (h.type, h.record_id) h.type, h.record_id, h.created_at, ts_rank(h.terms, wanted) AS score
      FROM (SELECT * FROM titles UNION ALL SELECT * FROM texts UNION ALL SELECT * FROM newest) h
    )
    SELECT r.type, r.record_id, r.score, r.created_at FROM ranked r
    WHERE p_after_id IS NULL OR (r.score, r.created_at, r.record_id) < (p_after_score, p_after_created, p_after_id)
    ORDER BY r.score DESC, r.created_at DESC, r.record_id DESC
    LIMIT p_limit;
END $$;

-- Entries whose title resembles the query, for queries that match nothing: the caller keeps those within one typo.
CREATE FUNCTION trellis.search_similar(p_types text[], p_parent uuid, p_query text, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, folded_title text, score real, created_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_indexscan = off
  SET pg_trgm.word_similarity_threshold = 0.3
AS $$
DECLARE
  organization uuid := trellis.current_organization();
BEGIN
  RETURN QUERY
    SELECT e.type, e.record_id, e.folded_title, word_similarity(p_query, e.folded_title) AS score, e.created_at
    FROM trellis.search_entries e
    WHERE e.organization_id = organization AND e.parent_id = p_parent AND p_query <% e.folded_title
      AND e.type = ANY (p_types)
    ORDER BY score DESC, e.created_at DESC, e.record_id DESC
    LIMIT p_limit;
END $$;

REVOKE ALL ON FUNCTION trellis.match_text, trellis.search, trellis.search_similar FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.match_text, trellis.search, trellis.search_similar TO trellis_api;
-- The owner of a function needs CREATE in its schema at the moment it becomes the owner, and not after.
GRANT CREATE ON SCHEMA trellis TO trellis_search;
ALTER FUNCTION trellis.match_text OWNER TO trellis_search;
ALTER FUNCTION trellis.search OWNER TO trellis_search;
ALTER FUNCTION trellis.search_similar OWNER TO trellis_search;
REVOKE CREATE ON SCHEMA trellis FROM trellis_search;
