-- Search in two layers, each organization's by itself.
--
-- search_records has a row for each record (for an article: for each version that somebody sees) with the words of its
-- short texts; search_texts has these texts themselves, for "contains". Both are written in the record's transaction.
-- search_bodies has the words of the long texts, written after the commit by the indexer, which finds its work in
-- search_marks. Who may see a record stands in search_records alone: every search joins it.
--
-- Keys of all three indexes begin with a scope, a hash of the organization, the parent and the type. Postings of one
-- organization are therefore never read on behalf of another.

-- The scope of the rows of one type below one parent: 60 bits, as 10 characters of base64. All rows are compared by their
-- columns as well, so that a collision could cost time, but show nothing.
CREATE FUNCTION trellis.search_scope(p_organization uuid, p_parent uuid, p_type text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN left(encode(decode(md5(p_organization::text || p_parent::text || p_type), 'hex'), 'base64'), 10);

-- Index keys of words: `s` before words of short texts, `w` before words of long ones. Keys are cut, because an index holds
-- no entries of several kilobytes.
CREATE FUNCTION trellis.search_keys(
  p_organization uuid, p_parent uuid, p_type text, p_short tsvector, p_long tsvector) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  scope text := trellis.search_scope(p_organization, p_parent, p_type);
BEGIN
  RETURN array_to_tsvector(ARRAY(
    SELECT scope || 's' || left(word, 200) FROM unnest(tsvector_to_array(p_short)) AS word
    UNION ALL
    SELECT scope || 'w' || left(word, 200) FROM unnest(tsvector_to_array(p_long)) AS word));
END $$;

-- Index keys of a text's groups of three bytes (UTF-8, hexadecimal). The last two are shorter, so that every byte begins
-- a key: texts of one or two bytes are found by prefix.
CREATE FUNCTION trellis.search_grams(p_organization uuid, p_parent uuid, p_type text, p_text text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  scope text := trellis.search_scope(p_organization, p_parent, p_type);
  bytes bytea := convert_to(p_text, 'UTF8');
BEGIN
  RETURN array_to_tsvector(ARRAY(
    SELECT scope || encode(substring(bytes FROM place FOR 3), 'hex') FROM generate_series(1, length(bytes)) AS place));
END $$;

-- Words by weight, with `~` before their stems where the language is known (the name of a text search configuration). Stems
-- have neither weight nor position: who has the very word ranks higher.
CREATE FUNCTION trellis.search_terms(p_language text, p_a text, p_b text, p_d text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  words tsvector := setweight(to_tsvector('simple', p_a), 'A') || setweight(to_tsvector('simple', p_b), 'B')
    || setweight(to_tsvector('simple', p_d), 'D');
BEGIN
  IF p_language IS NULL THEN
    RETURN words;
  END IF;
  RETURN words || array_to_tsvector(ARRAY(
    SELECT '~' || left(stem, 200)
    FROM unnest(tsvector_to_array(to_tsvector(p_language::regconfig, concat_ws(' ', p_a, p_b, p_d)))) AS stem));
END $$;

CREATE TABLE trellis.search_records (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  -- The version of an article that the row is about; 0 where records have no versions.
  edition integer NOT NULL,
  -- The site of an article, category or tag; a uuid made of the type for resources without a parent.
  parent_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- In which perspectives the row is found.
  working boolean NOT NULL,
  published boolean NOT NULL,
  -- Who may find it: ids of users and names of roles; NULL: every member.
  readers text[],
  -- Words as they are written, with weights and positions, and `~` before word stems, which have neither.
  terms tsvector NOT NULL,
  PRIMARY KEY (organization_id, type, record_id, edition)
);
CREATE INDEX search_records_newest
  ON trellis.search_records (organization_id, parent_id, type, created_at DESC, record_id DESC);
CREATE INDEX search_records_words ON trellis.search_records
  USING gin (trellis.search_keys(organization_id, parent_id, type, terms, NULL)) WITH (fastupdate = off);

CREATE TABLE trellis.search_texts (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  edition integer NOT NULL,
  -- 1: names and titles; 2: all other short texts. Each is written only when it changes.
  part smallint NOT NULL CHECK (part IN (1, 2)),
  parent_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Without case and accents, one text a line.
  folded text NOT NULL,
  PRIMARY KEY (organization_id, type, record_id, edition, part),
  FOREIGN KEY (organization_id, type, record_id, edition)
    REFERENCES trellis.search_records (organization_id, type, record_id, edition) ON DELETE CASCADE
);
CREATE INDEX search_texts_grams ON trellis.search_texts
  USING gin (trellis.search_grams(organization_id, parent_id, type, folded)) WITH (fastupdate = off);

CREATE TABLE trellis.search_bodies (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  edition integer NOT NULL,
  parent_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- The version of the record whose text this is: an older one never takes the place of a newer one.
  source integer NOT NULL,
  -- Words of the record's short texts, so that one word of a query may stand in a title and another one in a body.
  short_terms tsvector NOT NULL,
  terms tsvector NOT NULL,
  PRIMARY KEY (organization_id, type, record_id, edition),
  -- Waits for whoever deletes the record, and goes with it.
  FOREIGN KEY (organization_id, type, record_id, edition)
    REFERENCES trellis.search_records (organization_id, type, record_id, edition) ON DELETE CASCADE
);
-- Finding reads narrow rows; only what is ranked is read from beside them, and is not compressed.
ALTER TABLE trellis.search_bodies ALTER COLUMN terms SET STORAGE EXTERNAL, ALTER COLUMN short_terms SET STORAGE EXTERNAL;
CREATE INDEX search_bodies_words ON trellis.search_bodies
  USING gin (trellis.search_keys(organization_id, parent_id, type, short_terms, terms)) WITH (fastupdate = off);

-- Records whose long texts are to be indexed; written with the record, one mark for any number of changes.
CREATE TABLE trellis.search_marks (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  parent_id uuid NOT NULL,
  -- Counts the marks of a record: a mark goes only if none was set after it was taken.
  number integer NOT NULL,
  -- Editions whose long texts have changed.
  editions integer[] NOT NULL,
  -- Whether everything is to be written again: for rows that another release has written.
  whole boolean NOT NULL,
  available_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL,
  PRIMARY KEY (organization_id, type, record_id)
);
CREATE INDEX search_marks_available_at ON trellis.search_marks (organization_id, available_at);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['search_records', 'search_texts', 'search_bodies', 'search_marks']
  LOOP
    EXECUTE format('ALTER TABLE trellis.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organization ON trellis.%I TO trellis_api '
      'USING (organization_id = trellis.current_organization())', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.%I TO trellis_api', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['search_records', 'search_texts', 'search_bodies']
  LOOP
    EXECUTE format('CREATE POLICY search ON trellis.%I FOR SELECT TO trellis_search USING (true)', name);
    EXECUTE format('GRANT SELECT ON trellis.%I TO trellis_search', name);
  END LOOP;
END $$;

CREATE POLICY readers ON trellis.search_records AS RESTRICTIVE TO trellis_api
  USING (readers IS NULL OR readers && (SELECT trellis.current_readers()) OR (SELECT trellis.sees_all_files()))
  WITH CHECK (true);
CREATE POLICY readers ON trellis.search_texts AS RESTRICTIVE TO trellis_api
  USING (EXISTS (SELECT FROM trellis.search_records s
                 WHERE s.organization_id = search_texts.organization_id AND s.type = search_texts.type
                   AND s.record_id = search_texts.record_id AND s.edition = search_texts.edition))
  WITH CHECK (true);
CREATE POLICY readers ON trellis.search_bodies AS RESTRICTIVE TO trellis_api
  USING (EXISTS (SELECT FROM trellis.search_records s
                 WHERE s.organization_id = search_bodies.organization_id AND s.type = search_bodies.type
                   AND s.record_id = search_bodies.record_id AND s.edition = search_bodies.edition))
  WITH CHECK (true);
GRANT SELECT, UPDATE, DELETE ON trellis.search_marks TO trellis_worker;
CREATE POLICY worker ON trellis.search_marks TO trellis_worker USING (true);

-- Lists and searches of published versions.
ALTER TABLE trellis.article_versions ADD COLUMN seen_at timestamptz(3);
COMMENT ON COLUMN trellis.article_versions.seen_at IS
  'When what readers see of the article last changed, of the published version; NULL: when the version itself did.';

-- For the next migration, which reads what is there, without a lock that others would wait for; the one after it drops them.
CREATE POLICY filling ON trellis.search_entries FOR SELECT TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.articles FOR SELECT TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.search_records TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.search_texts TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.search_bodies TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.search_marks TO trellis_owner USING (true);
