-- Knowledge files: who may see which is decided by the database, for every way to them.
--
-- `readers` names who may see a row: ids of users and names of roles; NULL is every member. It stands on the file (computed
-- from the fields that say so) and on its search entry. Bytes are kept outside, by organization and hash.

CREATE FUNCTION trellis.current_user_id() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('trellis.user', true), '')::uuid;

-- What the current user reads as: the own id, and the role in the current organization as it is now.
CREATE FUNCTION trellis.current_readers() RETURNS text[]
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN ARRAY[
    trellis.current_user_id()::text,
    (SELECT m.role FROM trellis.memberships m
     WHERE m.organization_id = trellis.current_organization() AND m.user_id = trellis.current_user_id())
  ];

-- A write that was decided may take a file out of its own sight: from there on its transaction sees all of the
-- organization's.
CREATE FUNCTION trellis.sees_all_files() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('trellis.all_files', true), '') = 'on';

CREATE TABLE trellis.knowledge_files (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  description text,
  tags json NOT NULL,
  language text,
  source_url text,
  expires_at timestamptz(3),
  visibility text NOT NULL CHECK (visibility IN ('PRIVATE', 'RESTRICTED', 'ORGANIZATION')),
  owner_user_id uuid NOT NULL,
  allowed_user_ids uuid[] NOT NULL,
  allowed_roles text[] NOT NULL,
  file_name text,
  media_type text,
  size_bytes integer,
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  page_count integer,
  content_version integer NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING_UPLOAD', 'PROCESSING', 'READY', 'FAILED')),
  failure_reason text,
  extracted_characters integer,
  readers text[] GENERATED ALWAYS AS (
    CASE visibility
      WHEN 'ORGANIZATION' THEN NULL
      WHEN 'RESTRICTED' THEN owner_user_id::text || allowed_user_ids::text[] || allowed_roles
      ELSE ARRAY[owner_user_id::text]
    END) STORED,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT knowledge_files_external_id UNIQUE (organization_id, external_id),
  CHECK ((status = 'PENDING_UPLOAD') = (sha256 IS NULL))
);
CREATE INDEX knowledge_files_created_at ON trellis.knowledge_files (organization_id, created_at, id);
CREATE INDEX knowledge_files_updated_at ON trellis.knowledge_files (organization_id, updated_at, id);
CREATE INDEX knowledge_files_name ON trellis.knowledge_files (organization_id, name, id);
CREATE INDEX knowledge_files_owner ON trellis.knowledge_files (organization_id, owner_user_id, created_at, id);
CREATE INDEX knowledge_files_sha256 ON trellis.knowledge_files (organization_id, sha256);

CREATE TABLE trellis.knowledge_file_tags (
  organization_id uuid NOT NULL,
  tag text NOT NULL,
  knowledge_file_id uuid NOT NULL,
  PRIMARY KEY (organization_id, tag, knowledge_file_id),
  FOREIGN KEY (organization_id, knowledge_file_id)
    REFERENCES trellis.knowledge_files (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX knowledge_file_tags_file ON trellis.knowledge_file_tags (organization_id, knowledge_file_id);

-- Extracted text: of a PDF by page, of anything else as page 1. What is long comes in several parts.
CREATE TABLE trellis.knowledge_pages (
  organization_id uuid NOT NULL,
  file_id uuid NOT NULL,
  page integer NOT NULL CHECK (page >= 1),
  part integer NOT NULL CHECK (part >= 1),
  text text NOT NULL,
  terms tsvector NOT NULL,
  -- Whether the file's search entry does not know all words of it, for the text before it is too long.
  beyond_entry boolean NOT NULL,
  PRIMARY KEY (organization_id, file_id, page, part),
  FOREIGN KEY (organization_id, file_id) REFERENCES trellis.knowledge_files (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX knowledge_pages_terms ON trellis.knowledge_pages USING gin (organization_id uuid_ops, terms);
CREATE INDEX knowledge_pages_beyond_entry ON trellis.knowledge_pages USING gin (organization_id uuid_ops, terms)
  WHERE beyond_entry;

-- Content whose text is yet to be extracted; written with the content, taken by a lease. It says all that the background
-- role needs to know, so that this one need not read records.
CREATE TABLE trellis.extraction_jobs (
  organization_id uuid NOT NULL,
  file_id uuid NOT NULL,
  content_version integer NOT NULL,
  media_type text NOT NULL,
  sha256 text NOT NULL,
  available_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL,
  PRIMARY KEY (organization_id, file_id)
);
CREATE INDEX extraction_jobs_available_at ON trellis.extraction_jobs (available_at);

-- Files that records refer to stay as long as they do.
ALTER TABLE trellis.article_versions ADD CONSTRAINT article_versions_cover
  FOREIGN KEY (organization_id, cover_file_id) REFERENCES trellis.knowledge_files (organization_id, id);
ALTER TABLE trellis.books ADD CONSTRAINT books_cover
  FOREIGN KEY (organization_id, cover_file_id) REFERENCES trellis.knowledge_files (organization_id, id);
ALTER TABLE trellis.magazines ADD CONSTRAINT magazines_cover
  FOREIGN KEY (organization_id, cover_file_id) REFERENCES trellis.knowledge_files (organization_id, id);
ALTER TABLE trellis.issues ADD CONSTRAINT issues_cover
  FOREIGN KEY (organization_id, cover_file_id) REFERENCES trellis.knowledge_files (organization_id, id);
CREATE INDEX article_versions_cover ON trellis.article_versions (organization_id, cover_file_id)
  WHERE cover_file_id IS NOT NULL;
CREATE INDEX books_cover ON trellis.books (organization_id, cover_file_id) WHERE cover_file_id IS NOT NULL;
CREATE INDEX magazines_cover ON trellis.magazines (organization_id, cover_file_id) WHERE cover_file_id IS NOT NULL;
CREATE INDEX issues_cover ON trellis.issues (organization_id, cover_file_id) WHERE cover_file_id IS NOT NULL;

CREATE TABLE trellis.book_files (
  organization_id uuid NOT NULL,
  file_id uuid NOT NULL,
  book_id uuid NOT NULL,
  PRIMARY KEY (organization_id, file_id, book_id),
  FOREIGN KEY (organization_id, book_id) REFERENCES trellis.books (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT book_files_file FOREIGN KEY (organization_id, file_id)
    REFERENCES trellis.knowledge_files (organization_id, id)
);
CREATE INDEX book_files_book ON trellis.book_files (organization_id, book_id);

CREATE TABLE trellis.issue_files (
  organization_id uuid NOT NULL,
  magazine_id uuid NOT NULL,
  file_id uuid NOT NULL,
  issue_id uuid NOT NULL,
  PRIMARY KEY (organization_id, file_id, issue_id),
  FOREIGN KEY (organization_id, magazine_id, issue_id)
    REFERENCES trellis.issues (organization_id, magazine_id, id) ON DELETE CASCADE,
  CONSTRAINT issue_files_file FOREIGN KEY (organization_id, file_id)
    REFERENCES trellis.knowledge_files (organization_id, id)
);
CREATE INDEX issue_files_issue ON trellis.issue_files (organization_id, magazine_id, issue_id);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['knowledge_files', 'knowledge_file_tags', 'knowledge_pages', 'extraction_jobs',
    'book_files', 'issue_files']
  LOOP
    EXECUTE format('ALTER TABLE trellis.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organization ON trellis.%I TO trellis_api '
      'USING (organization_id = trellis.current_organization())', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.%I TO trellis_api', name);
  END LOOP;
END $$;

-- Restrictive: within the organization, only what the user may read.
CREATE POLICY readers ON trellis.knowledge_files AS RESTRICTIVE TO trellis_api
  USING (readers IS NULL OR readers && (SELECT trellis.current_readers()) OR (SELECT trellis.sees_all_files()))
  WITH CHECK (true);
CREATE POLICY readers ON trellis.knowledge_pages AS RESTRICTIVE TO trellis_api
  USING (EXISTS (SELECT FROM trellis.knowledge_files f
                 WHERE f.organization_id = knowledge_pages.organization_id AND f.id = knowledge_pages.file_id))
  WITH CHECK (true);

GRANT SELECT, UPDATE, DELETE ON trellis.extraction_jobs TO trellis_worker;
CREATE POLICY worker ON trellis.extraction_jobs TO trellis_worker USING (true);

-- Search entries know their readers, and the words of the content they stand for.
ALTER TABLE trellis.search_entries ADD COLUMN readers text[], ADD COLUMN content_terms tsvector;
-- A ranking reads the words of thousands of entries: they stand in the row, beside which other texts are moved out first.
ALTER TABLE trellis.search_entries ALTER COLUMN terms SET STORAGE MAIN;
ALTER TABLE trellis.search_entries SET (toast_tuple_target = 8160);
CREATE POLICY readers ON trellis.search_entries AS RESTRICTIVE TO trellis_api
  USING (readers IS NULL OR readers && (SELECT trellis.current_readers()) OR (SELECT trellis.sees_all_files()))
  WITH CHECK (true);

GRANT SELECT (organization_id, user_id, role) ON trellis.memberships TO trellis_search;
CREATE POLICY search ON trellis.memberships FOR SELECT TO trellis_search
  USING (organization_id = trellis.current_organization());
GRANT SELECT ON trellis.knowledge_pages TO trellis_search;
CREATE POLICY search ON trellis.knowledge_pages FOR SELECT TO trellis_search USING (true);

-- Who may not see an entry does not find it, nor does it take anybody's place among the candidates.
CREATE OR REPLACE FUNCTION trellis.match_text(p_type text, p_parent uuid, p_pattern text, p_limit integer)
  RETURNS TABLE (record_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_indexscan = off
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  reading text[] := trellis.current_readers();
BEGIN
  RETURN QUERY
    SELECT e.record_id FROM trellis.search_entries e
    WHERE e.organization_id = organization AND e.parent_id = p_parent AND e.type = p_type
      AND e.folded_text LIKE p_pattern AND (e.readers IS NULL OR e.readers && reading)
    LIMIT p_limit;
END $$;

-- Entries that match, by the index of words and no other: estimates of how many there are cannot be trusted, before ANALYZE
-- least of all. Scores only where they are wanted: they cost more than finding.
CREATE FUNCTION trellis.match_terms(
  p_types text[], p_parent uuid, p_wanted tsquery, p_in_title boolean, p_scored boolean, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, created_at timestamptz, score real)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1000
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_indexscan = off
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  reading text[] := trellis.current_readers();
BEGIN
  IF p_in_title THEN
    RETURN QUERY
      SELECT e.type, e.record_id, e.created_at, CASE WHEN p_scored THEN ts_rank(e.terms, p_wanted) END
      FROM trellis.search_entries e
      WHERE e.organization_id = organization AND e.parent_id = p_parent AND e.title_terms @@ p_wanted
        AND e.terms @@ p_wanted AND e.type = ANY (p_types) AND (e.readers IS NULL OR e.readers && reading)
      LIMIT p_limit;
  ELSE
    RETURN QUERY
      SELECT e.type, e.record_id, e.created_at, CASE WHEN p_scored THEN ts_rank(e.terms, p_wanted) END
      FROM trellis.search_entries e
      WHERE e.organization_id = organization AND e.parent_id = p_parent AND e.terms @@ p_wanted
        AND e.type = ANY (p_types) AND (e.readers IS NULL OR e.readers && reading)
      LIMIT p_limit;
  END IF;
END $$;

-- Matches with their scores: all of them if there are p_candidates at most. Of more (`complete` is false then), those with
-- a match in the title and those among the newest entries, p_many at most of each, and where these are fewer than 200, also
-- p_many others: what is searched for so generally is not meant so exactly.
CREATE FUNCTION trellis.rank_entries(
  p_types text[], p_parent uuid, p_wanted tsquery, p_candidates integer, p_many integer)
  RETURNS TABLE (type text, record_id uuid, created_at timestamptz, score real, complete boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1000
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  reading text[] := trellis.current_readers();
  first_look CONSTANT integer := 200;
  few CONSTANT integer := 200;
  found integer;
  beyond boolean := false;
BEGIN
  -- The index of words gives all matches or none. Whether a word is a common one the newest entries tell sooner.
  SELECT count(*) INTO found FROM (
    SELECT n.terms, n.type FROM trellis.search_entries n
    WHERE n.organization_id = organization AND n.parent_id = p_parent AND (n.readers IS NULL OR n.readers && reading)
    ORDER BY n.created_at DESC, n.record_id DESC LIMIT first_look
  ) e
  WHERE e.terms @@ p_wanted AND e.type = ANY (p_types);
  IF found * 5 >= first_look THEN
    SELECT count(*) > p_candidates INTO beyond FROM (
      SELECT FROM (
        SELECT n.terms, n.type FROM trellis.search_entries n
        WHERE n.organization_id = organization AND n.parent_id = p_parent
          AND (n.readers IS NULL OR n.readers && reading)
        ORDER BY n.created_at DESC, n.record_id DESC LIMIT 6 * p_candidates
      ) e
      WHERE e.terms @@ p_wanted AND e.type = ANY (p_types)
      LIMIT p_candidates + 1
    ) m;
  END IF;
  IF NOT beyond THEN
    SELECT count(*) > p_candidates INTO beyond
    FROM trellis.match_terms(p_types, p_parent, p_wanted, false, false, p_candidates + 1);
  END IF;
  IF NOT beyond THEN
    RETURN QUERY SELECT m.*, true FROM trellis.match_terms(p_types, p_parent, p_wanted, false, true, p_candidates) m;
    RETURN;
  END IF;
  RETURN QUERY
    WITH titles AS MATERIALIZED (
      SELECT * FROM trellis.match_terms(p_types, p_parent, p_wanted, true, true, p_many)
    ), newest AS MATERIALIZED (
      SELECT e.type, e.record_id, e.created_at, ts_rank(e.terms, p_wanted) FROM (
        SELECT n.type, n.record_id, n.created_at, n.terms FROM trellis.search_entries n
        WHERE n.organization_id = organization AND n.parent_id = p_parent
          AND (n.readers IS NULL OR n.readers && reading)
        ORDER BY n.created_at DESC, n.record_id DESC LIMIT p_many
      ) e
      WHERE e.terms @@ p_wanted AND e.type = ANY (p_types)
    ), others AS MATERIALIZED (
      SELECT * FROM trellis.match_terms(p_types, p_parent, p_wanted, false, true, p_many)
      WHERE (SELECT count(*) FROM titles) + (SELECT count(*) FROM newest) < few
    )
    SELECT DISTINCT ON (h.type, h.record_id) h.*, false
    FROM (SELECT * FROM titles UNION ALL SELECT * FROM newest UNION ALL SELECT * FROM others) h;
END $$;

CREATE OR REPLACE FUNCTION trellis.search(
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
  reading text[] := trellis.current_readers();
  wanted tsquery := websearch_to_tsquery('simple', p_words);
BEGIN
  IF p_prefix <> '' THEN
    wanted := CASE WHEN numnode(wanted) = 0 THEN to_tsquery('simple', p_prefix)
                   ELSE wanted && to_tsquery('simple', p_prefix) END;
  END IF;
  RETURN QUERY
    SELECT r.type, r.record_id, r.score, r.created_at
    FROM trellis.rank_entries(p_types, p_parent, wanted, p_candidates, p_candidates) r
    WHERE p_after_id IS NULL OR (r.score, r.created_at, r.record_id) < (p_after_score, p_after_created, p_after_id)
    ORDER BY r.score DESC, r.created_at DESC, r.record_id DESC
    LIMIT p_limit;
END $$;

CREATE OR REPLACE FUNCTION trellis.search_similar(p_types text[], p_parent uuid, p_query text, p_limit integer)
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
  reading text[] := trellis.current_readers();
BEGIN
  RETURN QUERY
    SELECT e.type, e.record_id, e.folded_title, word_similarity(p_query, e.folded_title) AS score, e.created_at
    FROM trellis.search_entries e
    WHERE e.organization_id = organization AND e.parent_id = p_parent AND p_query <% e.folded_title
      AND e.type = ANY (p_types) AND (e.readers IS NULL OR e.readers && reading)
    ORDER BY score DESC, e.created_at DESC, e.record_id DESC
    LIMIT p_limit;
END $$;

-- Files whose metadata or text match. A word may stand on one page and another on the next: the entry knows the words of
-- the whole (as far as they are indexed), the pages those of each. With each file comes the page that shows best why.
CREATE FUNCTION trellis.search_files(
  p_parent uuid, p_words text, p_prefix text, p_candidates integer,
  p_after_score real, p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, score real, created_at timestamptz, page integer, part integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  reading text[] := trellis.current_readers();
  wanted tsquery := websearch_to_tsquery('simple', p_words);
  anything tsquery;
  phrases boolean;
  lexeme constant text := '''(?:[^'']|'''')*''';
  excluded tsquery;
  anywhere boolean;
BEGIN
  IF p_prefix <> '' THEN
    wanted := CASE WHEN numnode(wanted) = 0 THEN to_tsquery('simple', p_prefix)
                   ELSE wanted && to_tsquery('simple', p_prefix) END;
  END IF;
  -- The same words, any of which will do for a page to be shown.
  IF querytree(wanted) NOT IN ('', 'T') THEN
    anything := regexp_replace(replace(querytree(wanted), ' & ', ' | '), ' <(-|\d+)> ', ' | ', 'g')::tsquery;
  END IF;
  -- An entry knows the words of all pages but those at the end of a very long text; only of these pages are asked as well.
  -- Where words stand an entry does not know that exactly (256 places of each at most): for a phrase all pages are asked.
  phrases := wanted::text LIKE '%<%';
  -- Words and phrases that must stand nowhere: that a page lacks them says nothing of the other pages.
  SELECT string_agg(operand[1], ' | ')::tsquery INTO excluded
  FROM regexp_matches(wanted::text, format('!(%1$s|\( %1$s(?: <(?:-|\d+)> %1$s)* \))|%1$s', lexeme), 'g') AS operand;
  -- Behind an OR they need not be excluded from all.
  anywhere := excluded IS NULL OR wanted::text LIKE '% | %';
  RETURN QUERY
    WITH known AS MATERIALIZED (
      SELECT * FROM trellis.rank_entries('{knowledge-file}', p_parent, wanted, p_candidates, least(p_candidates, 1000))
    ), amount AS MATERIALIZED (
      SELECT EXISTS (SELECT FROM known WHERE NOT complete) AS beyond
    ), places AS MATERIALIZED (
      SELECT p.file_id, p.terms FROM trellis.knowledge_pages p
      WHERE NOT (SELECT beyond FROM amount) AND p.organization_id = organization AND p.terms @@ wanted AND p.beyond_entry
      UNION ALL
      SELECT p.file_id, p.terms FROM trellis.knowledge_pages p
      WHERE phrases AND NOT (SELECT beyond FROM amount) AND p.organization_id = organization AND p.terms @@ wanted
        AND NOT p.beyond_entry AND NOT p.file_id IN (SELECT k.record_id FROM known k)
    ), pages AS MATERIALIZED (
      SELECT e.record_id, e.created_at, ts_rank(p.terms, wanted) AS score
      FROM places p JOIN LATERAL (
        SELECT s.record_id, s.created_at FROM trellis.search_entries s
        WHERE s.organization_id = organization AND s.type = 'knowledge-file' AND s.record_id = p.file_id
          AND (s.readers IS NULL OR s.readers && reading) AND (excluded IS NULL OR NOT s.terms @@ excluded)
        OFFSET 0
      ) e ON true
      WHERE excluded IS NULL OR NOT EXISTS (
        SELECT FROM trellis.knowledge_pages q
        WHERE q.organization_id = organization AND q.file_id = e.record_id AND q.terms @@ excluded)
      LIMIT p_candidates
    ), ranked AS (
      SELECT h.record_id, h.created_at, max(h.score) AS score
      FROM (SELECT k.record_id, k.created_at, k.score FROM known k UNION ALL SELECT * FROM pages) h
      -- An entry knows the words of the beginning of a long text only.
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

REVOKE ALL ON FUNCTION trellis.match_terms, trellis.rank_entries, trellis.search_files FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.search_files TO trellis_api;
GRANT CREATE ON SCHEMA trellis TO trellis_search;
ALTER FUNCTION trellis.match_terms OWNER TO trellis_search;
ALTER FUNCTION trellis.rank_entries OWNER TO trellis_search;
ALTER FUNCTION trellis.search_files OWNER TO trellis_search;
REVOKE CREATE ON SCHEMA trellis FROM trellis_search;

-- Entries of resources without a parent stand apart by their type, so that a search among contacts does not meet books.
ALTER TABLE trellis.search_entries NO FORCE ROW LEVEL SECURITY;
UPDATE trellis.search_entries SET parent_id = md5(type)::uuid WHERE parent_id = organization_id;
ALTER TABLE trellis.search_entries FORCE ROW LEVEL SECURITY;
