-- Search in two layers, each organization's by itself.
--
-- search_records has a row for each record (for an article: for each version that somebody sees) with what its short texts
-- are found by; search_bodies has the words of the long texts. Both are written in the record's transaction. Who may see a
-- record stands in search_records alone: every search joins it.
--
-- What stands in `terms` is made by packages/server/src/kernel/pipeline/search/analyzer, for records and for queries: words and their
-- stems, and of names, titles, numbers and addresses, of which any part is found, groups of three characters. All begin with a
-- scope, a hash of the organization, the parent and the type. Postings of one organization are therefore never read on behalf
-- of another. In the texts of queries, U+0001 stands for the scope.
--
-- `@@` and LIKE are not leakproof, so PostgreSQL may not use an index for them below row-level security: it would first
-- fetch every row of the organization. The rows are therefore also readable by the role trellis_search, which nobody can
-- log in as and which owns only the functions that search: each takes the organization from the transaction's own setting
-- and gives ids and scores only. Records themselves are always read by the caller's role, under row-level security.
--
-- Nothing here has statistics. ANALYZE would count the words of up to 30,000 rows each time that a tenth of them has changed;
-- and no plan uses them, because what is searched for is a parameter. See docs/decisions/0161-search.md.

-- A text as filters compare it. It is `foldText` of packages/schema/src/values/text.ts, which a test compares for each character. The class
-- has the marks of Unicode, and then its formatting characters and the tatweel.
CREATE OR REPLACE FUNCTION trellis.fold_text(p_text text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(p_text) = char_length(p_text) THEN lower(p_text)
    ELSE replace(replace(replace(replace(translate(
      lower(normalize(regexp_replace(normalize(p_text, NFKD),
        '['
          '\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f'
          '\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3'
          '\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1'
          '\u08e3-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09bc\u09be-\u09c4'
          '\u09c7-\u09c8\u09cb-\u09cd\u09d7\u09e2-\u09e3\u09fe\u0a01-\u0a03\u0a3c\u0a3e-\u0a42\u0a47-\u0a48'
          '\u0a4b-\u0a4d\u0a51\u0a70-\u0a71\u0a75\u0a81-\u0a83\u0abc\u0abe-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd'
          '\u0ae2-\u0ae3\u0afa-\u0aff\u0b01-\u0b03\u0b3c\u0b3e-\u0b44\u0b47-\u0b48\u0b4b-\u0b4d\u0b55-\u0b57'
          '\u0b62-\u0b63\u0b82\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0bd7\u0c00-\u0c04\u0c3c\u0c3e-\u0c44'
          '\u0c46-\u0c48\u0c4a-\u0c4d\u0c55-\u0c56\u0c62-\u0c63\u0c81-\u0c83\u0cbc\u0cbe-\u0cc4\u0cc6-\u0cc8'
          '\u0cca-\u0ccd\u0cd5-\u0cd6\u0ce2-\u0ce3\u0cf3\u0d00-\u0d03\u0d3b-\u0d3c\u0d3e-\u0d44\u0d46-\u0d48'
          '\u0d4a-\u0d4d\u0d57\u0d62-\u0d63\u0d81-\u0d83\u0dca\u0dcf-\u0dd4\u0dd6\u0dd8-\u0ddf\u0df2-\u0df3\u0e31'
          '\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f3f'
          '\u0f71-\u0f84\u0f86-\u0f87\u0f8d-\u0f97\u0f99-\u0fbc\u0fc6\u102b-\u103e\u1056-\u1059\u105e-\u1060'
          '\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u135d-\u135f\u1712-\u1715'
          '\u1732-\u1734\u1752-\u1753\u1772-\u1773\u17b4-\u17d3\u17dd\u180b-\u180d\u180f\u1885-\u1886\u18a9'
          '\u1920-\u192b\u1930-\u193b\u1a17-\u1a1b\u1a55-\u1a5e\u1a60-\u1a7c\u1a7f\u1ab0-\u1add\u1ae0-\u1aeb'
          '\u1b00-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\u1b80-\u1b82\u1ba1-\u1bad\u1be6-\u1bf3\u1c24-\u1c37\u1cd0-\u1cd2'
          '\u1cd4-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff'
          '\u302a-\u302f\u3099-\u309a\ua66f-\ua672\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1\ua802\ua806\ua80b'
          '\ua823-\ua827\ua82c\ua880-\ua881\ua8b4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua953\ua980-\ua983'
          '\ua9b3-\ua9c0\ua9e5\uaa29-\uaa36\uaa43\uaa4c-\uaa4d\uaa7b-\uaa7d\uaab0\uaab2-\uaab4\uaab7-\uaab8'
          '\uaabe-\uaabf\uaac1\uaaeb-\uaaef\uaaf5-\uaaf6\uabe3-\uabea\uabec-\uabed\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f'
          '\U000101fd\U000102e0\U00010376-\U0001037a\U00010a01-\U00010a03\U00010a05-\U00010a06\U00010a0c-\U00010a0f'
          '\U00010a38-\U00010a3a\U00010a3f\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d'
          '\U00010eab-\U00010eac\U00010efa-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85'
          '\U00011000-\U00011002\U00011038-\U00011046\U00011070\U00011073-\U00011074\U0001107f-\U00011082'
          '\U000110b0-\U000110ba\U000110c2\U00011100-\U00011102\U00011127-\U00011134\U00011145-\U00011146\U00011173'
          '\U00011180-\U00011182\U000111b3-\U000111c0\U000111c9-\U000111cc\U000111ce-\U000111cf'
          '\U0001122c-\U00011237\U0001123e\U00011241\U000112df-\U000112ea\U00011300-\U00011303\U0001133b-\U0001133c'
          '\U0001133e-\U00011344\U00011347-\U00011348\U0001134b-\U0001134d\U00011357\U00011362-\U00011363'
          '\U00011366-\U0001136c\U00011370-\U00011374\U000113b8-\U000113c0\U000113c2\U000113c5\U000113c7-\U000113ca'
          '\U000113cc-\U000113d0\U000113d2\U000113e1-\U000113e2\U00011435-\U00011446\U0001145e\U000114b0-\U000114c3'
          '\U000115af-\U000115b5\U000115b8-\U000115c0\U000115dc-\U000115dd\U00011630-\U00011640'
          '\U000116ab-\U000116b7\U0001171d-\U0001172b\U0001182c-\U0001183a\U00011930-\U00011935'
          '\U00011937-\U00011938\U0001193b-\U0001193e\U00011940\U00011942-\U00011943\U000119d1-\U000119d7'
          '\U000119da-\U000119e0\U000119e4\U00011a01-\U00011a0a\U00011a33-\U00011a39\U00011a3b-\U00011a3e\U00011a47'
          '\U00011a51-\U00011a5b\U00011a8a-\U00011a99\U00011b60-\U00011b67\U00011c2f-\U00011c36'
          '\U00011c38-\U00011c3f\U00011c92-\U00011ca7\U00011ca9-\U00011cb6\U00011d31-\U00011d36\U00011d3a'
          '\U00011d3c-\U00011d3d\U00011d3f-\U00011d45\U00011d47\U00011d8a-\U00011d8e\U00011d90-\U00011d91'
          '\U00011d93-\U00011d97\U00011ef3-\U00011ef6\U00011f00-\U00011f01\U00011f03\U00011f34-\U00011f3a'
          '\U00011f3e-\U00011f42\U00011f5a\U00013440\U00013447-\U00013455\U0001611e-\U0001612f\U00016af0-\U00016af4'
          '\U00016b30-\U00016b36\U00016f4f\U00016f51-\U00016f87\U00016f8f-\U00016f92\U00016fe4\U00016ff0-\U00016ff1'
          '\U0001bc9d-\U0001bc9e\U0001cf00-\U0001cf2d\U0001cf30-\U0001cf46\U0001d165-\U0001d169'
          '\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad'
          '\U0001d242-\U0001d244\U0001da00-\U0001da36\U0001da3b-\U0001da6c\U0001da75\U0001da84\U0001da9b-\U0001da9f'
          '\U0001daa1-\U0001daaf\U0001e000-\U0001e006\U0001e008-\U0001e018\U0001e01b-\U0001e021'
          '\U0001e023-\U0001e024\U0001e026-\U0001e02a\U0001e08f\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef'
          '\U0001e4ec-\U0001e4ef\U0001e5ee-\U0001e5ef\U0001e6e3\U0001e6e6\U0001e6ee-\U0001e6ef\U0001e6f5'
          '\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a\U000e0100-\U000e01ef'
          '\u00ad\u0600-\u0605\u0640\u061c\u06dd\u070f\u0890-\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064'
          '\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3'
          '\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f'
        ']+', '', 'g'), NFC)),
      'øđðħıłŋŧəςةہىیےک'
        'ʻʼ׳״‘’'
        '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙໐໑໒໓໔໕໖໗໘໙၀၁၂၃၄၅၆၇၈၉០១២៣៤៥៦៧៨៩'
        '‐‑‒–—―−ァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユョヨラリルレロヮワヰヱヲンヴヵヶヽヾ',
      'oddhilnteσههيييك'
        ''''''''''''''
        '01234567890123456789012345678901234567890123456789012345678901234567890123456789'
        '-------ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔゕゖゝゞ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END;

-- The text of a query for one scope.
CREATE OR REPLACE FUNCTION trellis.scoped(p_query text, p_scope text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(p_query, U&'\0001', p_scope)::tsquery;

-- A row for each record (for an article: for each version that somebody sees) with the words of its short texts.
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
  -- Who may find it: ids of users and names of roles, each with a row in search_readers; NULL: every member.
  readers text[],
  -- Names and titles, and all other short texts of which any part is found; folded, one a line.
  names text NOT NULL,
  others text NOT NULL,
  terms tsvector NOT NULL,
  PRIMARY KEY (organization_id, type, record_id, edition)
);
ALTER TABLE trellis.search_records ALTER COLUMN names SET STATISTICS 0;
ALTER TABLE trellis.search_records ALTER COLUMN others SET STATISTICS 0;
ALTER TABLE trellis.search_records ALTER COLUMN terms SET STATISTICS 0;
CREATE INDEX search_records_newest ON trellis.search_records (organization_id, parent_id, type, created_at DESC, record_id DESC)
  WHERE readers IS NULL;
CREATE INDEX search_records_terms ON trellis.search_records USING gin (terms) WITH (fastupdate = on, gin_pending_list_limit = 4096);
ALTER TABLE trellis.search_records ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Within the organization, only what the user may read; see knowledge_files.
CREATE POLICY organization ON trellis.search_records TO trellis_api
  USING (organization_id = trellis.current_organization()
    AND (trellis.may_read(readers, (SELECT trellis.current_readers())) OR (SELECT trellis.sees_all_files())))
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY search ON trellis.search_records FOR SELECT TO trellis_search USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.search_records TO trellis_api;
GRANT SELECT ON trellis.search_records TO trellis_search;

-- Restricted records by who may find them, newest first, so that somebody who may see few of many does not skip the others one by one.
-- See docs/decisions/0002-search-functions.md.
CREATE TABLE trellis.search_readers (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  edition integer NOT NULL,
  -- One of search_records.readers: the id of a user, or the name of a role.
  reader text NOT NULL,
  parent_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, type, record_id, edition, reader)
);
CREATE INDEX search_readers_newest ON trellis.search_readers (organization_id, parent_id, type, reader, created_at DESC, record_id DESC) INCLUDE (edition);
ALTER TABLE trellis.search_readers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.search_readers TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY search ON trellis.search_readers FOR SELECT TO trellis_search USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.search_readers TO trellis_api;
GRANT SELECT ON trellis.search_readers TO trellis_search;

CREATE TABLE trellis.search_bodies (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  edition integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  terms tsvector NOT NULL,
  PRIMARY KEY (organization_id, type, record_id, edition)
);
ALTER TABLE trellis.search_bodies ALTER COLUMN terms SET STATISTICS 0;
CREATE INDEX search_bodies_terms ON trellis.search_bodies USING gin (terms) WITH (fastupdate = on, gin_pending_list_limit = 16384);
ALTER TABLE trellis.search_bodies ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Whoever sees the record also sees its parts.
CREATE POLICY organization ON trellis.search_bodies TO trellis_api
  USING (organization_id = trellis.current_organization()
    AND EXISTS (SELECT FROM trellis.search_records s
                WHERE s.organization_id = search_bodies.organization_id AND s.type = search_bodies.type
                  AND s.record_id = search_bodies.record_id AND s.edition = search_bodies.edition))
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY search ON trellis.search_bodies FOR SELECT TO trellis_search USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.search_bodies TO trellis_api;
GRANT SELECT ON trellis.search_bodies TO trellis_search;

-- Records whose entries the indexer is to write; one mark for any number of changes.
CREATE TABLE trellis.search_marks (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  parent_id uuid NOT NULL,
  -- Counts the marks of a record: a mark goes only if none was set after it was taken.
  number integer NOT NULL,
  available_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL,
  PRIMARY KEY (organization_id, type, record_id)
);
CREATE INDEX search_marks_available_at ON trellis.search_marks (organization_id, available_at);
ALTER TABLE trellis.search_marks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth_members ON trellis.search_marks TO trellis_auth USING (type = 'member') WITH CHECK (type = 'member');
CREATE POLICY auth_tokens ON trellis.search_marks TO trellis_auth USING (type = 'token') WITH CHECK (type = 'token');
CREATE POLICY organization ON trellis.search_marks TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.search_marks TO trellis_worker USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.search_marks TO trellis_api, trellis_worker;
GRANT SELECT, INSERT, UPDATE ON trellis.search_marks TO trellis_auth;

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
ALTER TABLE trellis.knowledge_pages ALTER COLUMN terms SET STATISTICS 0;
CREATE INDEX knowledge_pages_terms ON trellis.knowledge_pages USING gin (terms) WITH (fastupdate = off);
CREATE INDEX knowledge_pages_terms_beyond ON trellis.knowledge_pages USING gin (terms) WITH (fastupdate = off) WHERE beyond_entry;
ALTER TABLE trellis.knowledge_pages ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Whoever sees the record also sees its parts.
CREATE POLICY organization ON trellis.knowledge_pages TO trellis_api
  USING (organization_id = trellis.current_organization()
    AND EXISTS (SELECT FROM trellis.knowledge_files f
                WHERE f.organization_id = knowledge_pages.organization_id AND f.id = knowledge_pages.file_id))
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY search ON trellis.knowledge_pages FOR SELECT TO trellis_search USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.knowledge_pages TO trellis_api;
GRANT SELECT ON trellis.knowledge_pages TO trellis_search;

-- Records of one type that the caller may see in a perspective, newest first, after a position. Merges the unrestricted records with those
-- listed for each reader key of the caller. PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION trellis.newest_records(
  p_organization uuid, p_parent uuid, p_type text, p_published boolean, p_readers text[],
  p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (record_id uuid, edition integer, created_at timestamptz(3), names text, others text, terms tsvector)
  LANGUAGE sql STABLE
AS $$
  SELECT u.* FROM (
    (SELECT s.record_id, s.edition, s.created_at, s.names, s.others, s.terms FROM trellis.search_records s
     WHERE s.organization_id = p_organization AND s.parent_id = p_parent AND s.type = p_type AND s.readers IS NULL
       AND (CASE WHEN p_published THEN s.published ELSE s.working END) AND (s.created_at, s.record_id) < (p_after_created, p_after_id)
     ORDER BY s.created_at DESC, s.record_id DESC LIMIT p_limit)
    UNION ALL
    SELECT k.record_id, k.edition, k.created_at, s.names, s.others, s.terms FROM (
      SELECT DISTINCT v.created_at, v.record_id, v.edition FROM unnest(p_readers) AS n (reader)
      CROSS JOIN LATERAL (
        SELECT r.record_id, r.edition, r.created_at FROM trellis.search_readers r
        WHERE r.organization_id = p_organization AND r.parent_id = p_parent AND r.type = p_type AND r.reader = n.reader
          AND (r.created_at, r.record_id) < (p_after_created, p_after_id)
        ORDER BY r.created_at DESC, r.record_id DESC LIMIT p_limit
      ) v
      ORDER BY v.created_at DESC, v.record_id DESC LIMIT p_limit
    ) k
    CROSS JOIN LATERAL (
      SELECT i.names, i.others, i.terms FROM trellis.search_records i
      WHERE i.organization_id = p_organization AND i.type = p_type AND i.record_id = k.record_id AND i.edition = k.edition
        AND (CASE WHEN p_published THEN i.published ELSE i.working END)
      OFFSET 0
    ) s
  ) u
  ORDER BY u.created_at DESC, u.record_id DESC LIMIT p_limit
$$;

-- Records of one type that the caller may see in a perspective, oldest first, after a position. Merges the unrestricted records with those
-- listed for each reader key of the caller. PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION trellis.oldest_records(
  p_organization uuid, p_parent uuid, p_type text, p_published boolean, p_readers text[],
  p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (record_id uuid, edition integer, created_at timestamptz(3), names text, others text, terms tsvector)
  LANGUAGE sql STABLE
AS $$
  SELECT u.* FROM (
    (SELECT s.record_id, s.edition, s.created_at, s.names, s.others, s.terms FROM trellis.search_records s
     WHERE s.organization_id = p_organization AND s.parent_id = p_parent AND s.type = p_type AND s.readers IS NULL
       AND (CASE WHEN p_published THEN s.published ELSE s.working END) AND (s.created_at, s.record_id) > (p_after_created, p_after_id)
     ORDER BY s.created_at, s.record_id LIMIT p_limit)
    UNION ALL
    SELECT k.record_id, k.edition, k.created_at, s.names, s.others, s.terms FROM (
      SELECT DISTINCT v.created_at, v.record_id, v.edition FROM unnest(p_readers) AS n (reader)
      CROSS JOIN LATERAL (
        SELECT r.record_id, r.edition, r.created_at FROM trellis.search_readers r
        WHERE r.organization_id = p_organization AND r.parent_id = p_parent AND r.type = p_type AND r.reader = n.reader
          AND (r.created_at, r.record_id) > (p_after_created, p_after_id)
        ORDER BY r.created_at, r.record_id LIMIT p_limit
      ) v
      ORDER BY v.created_at, v.record_id LIMIT p_limit
    ) k
    CROSS JOIN LATERAL (
      SELECT i.names, i.others, i.terms FROM trellis.search_records i
      WHERE i.organization_id = p_organization AND i.type = p_type AND i.record_id = k.record_id AND i.edition = k.edition
        AND (CASE WHEN p_published THEN i.published ELSE i.working END)
      OFFSET 0
    ) s
  ) u
  ORDER BY u.created_at, u.record_id LIMIT p_limit
$$;

-- Records that match a query in their short texts or in their long ones, at most p_limit of each, unordered. If there are as many of the
-- former, the long texts are not read. PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION trellis.match_words(
  p_organization uuid, p_parent uuid, p_type text, p_published boolean, p_readers text[], p_wanted tsquery, p_limit integer)
  RETURNS TABLE (record_id uuid, edition integer)
  LANGUAGE sql STABLE
AS $$
  WITH short AS MATERIALIZED (
   SELECT s.record_id, s.edition FROM (
     SELECT * FROM trellis.search_records i
     WHERE i.terms @@ p_wanted OFFSET 0
   ) s
   WHERE s.organization_id = p_organization AND s.parent_id = p_parent AND s.type = p_type
     AND (CASE WHEN p_published THEN s.published ELSE s.working END)
     AND trellis.may_read(s.readers, p_readers)
   LIMIT p_limit
  )
  SELECT * FROM short
  UNION
  (SELECT b.record_id, b.edition FROM (
     SELECT i.organization_id, i.type, i.record_id, i.edition FROM trellis.search_bodies i
     WHERE i.terms @@ p_wanted OFFSET 0
   ) b
   JOIN LATERAL (
     SELECT FROM trellis.search_records s
     WHERE s.organization_id = p_organization AND s.type = p_type AND s.record_id = b.record_id AND s.edition = b.edition
       AND s.parent_id = p_parent AND (CASE WHEN p_published THEN s.published ELSE s.working END)
       AND trellis.may_read(s.readers, p_readers)
     OFFSET 0
   ) s ON true
   WHERE b.organization_id = p_organization AND b.type = p_type
     AND (SELECT count(*) FROM short) < p_limit
   LIMIT p_limit)
$$;

-- Ranked matches of one type, in short or long texts. Up to p_most matches, all are ranked (`complete`). Of more, it ranks those
-- among the newest 200 records, up to 200 of the newest 1,000 with a match in short texts, and, if these are fewer than 100, up to 200 others
-- with a match in short texts: for very common terms, recency matters more than rank.
-- It also assumes more matches if a quarter of the newest 40 records match and there are more than 4 × p_most records, because reading all
-- matches from the index would then dominate the cost.
-- A query whose words are divided between the short and the long texts of a record finds it among the records that have one of the words in
-- their short texts; if these are more than p_most, among those that have the rarest of the words, as far as the newest 40 records show;
-- if these are too many, too, among the newest 1,000.
-- p_operands: what must all match; none for a query of alternatives. p_anything: any of the words; NULL for a query that only excludes.
-- p_excludes: whether something must be absent from all texts. p_joins: whether several words must match.
CREATE OR REPLACE FUNCTION trellis.rank_records(
  p_type text, p_parent uuid, p_published boolean, p_wanted tsquery, p_operands tsquery[], p_anything tsquery, p_ranking tsquery,
  p_excludes boolean, p_joins boolean, p_most integer)
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
  operands tsquery[] := p_operands;
  alternates boolean := cardinality(p_operands) = 0;
  -- Resources without long texts have no rows for them.
  divides boolean := p_joins AND cardinality(p_operands) <> 1 AND EXISTS (
    SELECT FROM trellis.search_bodies b WHERE b.organization_id = organization AND b.type = p_type);
  is_frequent boolean;
  last_id CONSTANT uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  found uuid[];
  editions integer[];
  others uuid[];
  other_editions integer[];
  are_all boolean;
BEGIN
  IF p_anything IS NULL THEN
    RETURN QUERY
      SELECT n.record_id, n.edition, n.created_at, 0::real, true
      FROM trellis.newest_records(organization, p_parent, p_type, p_published, reading, 'infinity', last_id, p_most) n
      WHERE (n.terms || coalesce((
        SELECT b.terms FROM trellis.search_bodies b
        WHERE b.organization_id = organization AND b.type = p_type AND b.record_id = n.record_id
          AND b.edition = n.edition), '')) @@ p_wanted;
    RETURN;
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
    WHERE NOT p_excludes AND n.terms @@ p_wanted OR n.long IS NOT NULL AND CASE
      WHEN p_excludes OR alternates THEN (n.terms || n.long) @@ p_wanted
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
        WHERE s.organization_id = organization AND s.parent_id = p_parent AND s.type = p_type AND s.readers IS NULL
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
        WHERE i.terms @@ p_anything OFFSET 0
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
      WHERE n.terms @@ p_anything;
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
  END IF;
  RETURN QUERY
    SELECT r.record_id, r.edition, r.created_at, r.score, rank_records.complete FROM (
      SELECT s.record_id, s.edition, s.created_at,
        ts_rank(s.terms, p_ranking) + coalesce(ts_rank(b.terms, p_ranking), 0) AS score,
        CASE
          -- The index has decided about the others.
          WHEN rank_records.complete AND NOT p_excludes THEN true
          WHEN p_excludes OR alternates THEN (s.terms || coalesce(b.terms, '')) @@ p_wanted
          ELSE NOT EXISTS (SELECT FROM unnest(operands) AS o (operand)
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
    WHERE r.matches;
END $$;

REVOKE ALL ON FUNCTION trellis.rank_records FROM PUBLIC;
ALTER FUNCTION trellis.rank_records OWNER TO trellis_search;

-- Candidates for a text filter: record versions with a name, title, number or address that contains one of the folded texts, each looked up
-- by its groups of characters, or whose short texts or long texts have all words. More than p_limit for one of these are not `complete`.
-- Unordered, with duplicates, and regardless of who may see them.
CREATE OR REPLACE FUNCTION trellis.filter_candidates(
  p_type text, p_scope text, p_parent uuid, p_texts text[], p_grams text[], p_words tsquery, p_limit integer)
  RETURNS TABLE (record_id uuid, edition integer, created_at timestamptz, complete boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET max_parallel_workers_per_gather = 0
  SET enable_seqscan = off
  SET enable_bitmapscan = on
  SET work_mem = '32MB'
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  keys tsquery;
BEGIN
  FOR place IN 1 .. coalesce(cardinality(p_texts), 0) LOOP
    keys := trellis.scoped(p_grams[place], p_scope);
    RETURN QUERY
      SELECT m.record_id, m.edition, m.created_at, count(*) OVER () <= p_limit FROM (
        SELECT x.record_id, x.edition, x.created_at FROM (
          SELECT * FROM trellis.search_records i
          WHERE i.terms @@ keys OFFSET 0
        ) x
        WHERE x.organization_id = organization AND x.parent_id = p_parent AND x.type = p_type
          AND (strpos(x.names, p_texts[place]) > 0 OR strpos(x.others, p_texts[place]) > 0)
        LIMIT p_limit + 1
      ) m;
  END LOOP;
  IF numnode(p_words) > 0 THEN
    RETURN QUERY
      SELECT m.record_id, m.edition, m.created_at, count(*) OVER () <= p_limit FROM (
        SELECT s.record_id, s.edition, s.created_at FROM (
          SELECT * FROM trellis.search_records i
          WHERE i.terms @@ p_words OFFSET 0
        ) s
        WHERE s.organization_id = organization AND s.parent_id = p_parent AND s.type = p_type
        LIMIT p_limit + 1
      ) m;
    RETURN QUERY
      SELECT m.record_id, m.edition, m.created_at, count(*) OVER () <= p_limit FROM (
        SELECT b.record_id, b.edition, b.created_at FROM (
          SELECT i.organization_id, i.type, i.record_id, i.edition, i.created_at FROM trellis.search_bodies i
          WHERE i.terms @@ p_words OFFSET 0
        ) b
        WHERE b.organization_id = organization AND b.type = p_type
        LIMIT p_limit + 1
      ) m;
  END IF;
END $$;

REVOKE ALL ON FUNCTION trellis.filter_candidates FROM PUBLIC;
ALTER FUNCTION trellis.filter_candidates OWNER TO trellis_search;

-- The candidates that the caller may see in the perspective.
CREATE OR REPLACE FUNCTION trellis.match_records(
  p_type text, p_scope text, p_parent uuid, p_published boolean, p_texts text[], p_grams text[], p_words text, p_limit integer)
  RETURNS TABLE (record_id uuid, complete boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET max_parallel_workers_per_gather = 0
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  reading text[] := trellis.current_readers();
  wanted tsquery := trellis.scoped(p_words, p_scope);
BEGIN
  RETURN QUERY
    SELECT c.record_id, c.complete
    FROM trellis.filter_candidates(p_type, p_scope, p_parent, p_texts, p_grams, wanted, p_limit) c
    JOIN LATERAL (
      SELECT FROM trellis.search_records s
      WHERE s.organization_id = organization AND s.type = p_type AND s.record_id = c.record_id AND s.edition = c.edition
        AND s.parent_id = p_parent AND (CASE WHEN p_published THEN s.published ELSE s.working END)
        AND trellis.may_read(s.readers, reading)
      OFFSET 0
    ) s ON true;
END $$;

REVOKE ALL ON FUNCTION trellis.match_records FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.match_records TO trellis_api;
ALTER FUNCTION trellis.match_records OWNER TO trellis_search;

-- One page of records whose texts match as in match_records, in the order of creation. It alternates between two access paths
-- with growing steps: the records in order, which is short for frequent texts, and all matches, which is short for rare ones.
-- So the cost is at most about twice that of the shorter path, without knowing which one it is.
-- Without texts (NULL): one page of all records that the caller may see.
CREATE OR REPLACE FUNCTION trellis.filter_page(
  p_type text, p_scope text, p_parent uuid, p_published boolean, p_texts text[], p_grams text[], p_words text, p_descending boolean,
  p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (record_id uuid, created_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 26
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
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
  wanted tsquery := trellis.scoped(p_words, p_scope);
  has_words boolean := numnode(wanted) > 0;
  -- Resources without long texts have no rows for them.
  has_bodies boolean := has_words AND EXISTS (
    SELECT FROM trellis.search_bodies b WHERE b.organization_id = organization AND b.type = p_type);
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
        WHERE p_texts IS NULL OR n.names LIKE ANY (patterns) OR n.others LIKE ANY (patterns) OR has_words AND (n.terms @@ wanted
          OR has_bodies AND EXISTS (SELECT FROM trellis.search_bodies b
            WHERE b.organization_id = organization AND b.type = p_type AND b.record_id = n.record_id
              AND b.edition = n.edition AND b.terms @@ wanted OFFSET 0))
        LIMIT p_limit
      ) m;
    ELSE
      SELECT array_agg(m.record_id), array_agg(m.created_at) INTO ids, instants FROM (
        SELECT n.record_id, n.created_at
        FROM trellis.oldest_records(organization, p_parent, p_type, p_published, reading, after_created, after_id, most) n
        WHERE p_texts IS NULL OR n.names LIKE ANY (patterns) OR n.others LIKE ANY (patterns) OR has_words AND (n.terms @@ wanted
          OR has_bodies AND EXISTS (SELECT FROM trellis.search_bodies b
            WHERE b.organization_id = organization AND b.type = p_type AND b.record_id = n.record_id
              AND b.edition = n.edition AND b.terms @@ wanted OFFSET 0))
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
      FROM trellis.filter_candidates(p_type, p_scope, p_parent, p_texts, p_grams, wanted, matches[turn]) c;
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
            AND s.edition = o.edition AND s.parent_id = p_parent AND (CASE WHEN p_published THEN s.published ELSE s.working END)
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

-- One page of matches among several types, ordered by rank, then newest first. The parameters are as in rank_records, with '' for none.
CREATE OR REPLACE FUNCTION trellis.find_records(
  p_types text[], p_scopes text[], p_parent uuid, p_published boolean,
  p_wanted text, p_operands text[], p_anything text, p_ranking text, p_excludes boolean, p_joins boolean, p_most integer,
  p_after_score real, p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, score real, created_at timestamptz, edition integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
  SET search_path = trellis, public, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT t.type, r.record_id, r.score, r.created_at, r.edition
    FROM unnest(p_types, p_scopes) AS t (type, scope),
      LATERAL trellis.rank_records(t.type, p_parent, p_published, trellis.scoped(p_wanted, t.scope),
        ARRAY(SELECT trellis.scoped(o.operand, t.scope) FROM unnest(p_operands) AS o (operand)),
        trellis.scoped(nullif(p_anything, ''), t.scope), trellis.scoped(p_ranking, t.scope), p_excludes, p_joins, p_most) r
    WHERE p_after_id IS NULL OR (r.score, r.created_at, r.record_id) < (p_after_score, p_after_created, p_after_id)
    ORDER BY r.score DESC, r.created_at DESC, r.record_id DESC
    LIMIT p_limit;
END $$;

REVOKE ALL ON FUNCTION trellis.find_records FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.find_records TO trellis_api;
ALTER FUNCTION trellis.find_records OWNER TO trellis_search;

-- Files whose metadata or text match. Words may be on different pages: a file's row in search_bodies has the words of the whole
-- file (as far as indexed), knowledge_pages those of each page. Returns the best matching page with each file.
-- p_excluded: any of what must be absent from all pages, not only from the matching one; '' for none.
CREATE OR REPLACE FUNCTION trellis.find_files(
  p_scope text, p_parent uuid,
  p_wanted text, p_operands text[], p_anything text, p_ranking text, p_excluded text, p_excludes boolean, p_joins boolean, p_most integer,
  p_after_score real, p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, score real, created_at timestamptz, page integer, part integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET max_parallel_workers_per_gather = 0
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  reading text[] := trellis.current_readers();
  wanted tsquery := trellis.scoped(p_wanted, p_scope);
  operands tsquery[] := ARRAY(SELECT trellis.scoped(o.operand, p_scope) FROM unnest(p_operands) AS o (operand));
  anything tsquery := trellis.scoped(nullif(p_anything, ''), p_scope);
  ranking tsquery := trellis.scoped(p_ranking, p_scope);
  excluded tsquery := trellis.scoped(nullif(p_excluded, ''), p_scope);
  -- An index cannot find what only excludes.
  keys tsquery := CASE WHEN anything IS NOT NULL THEN wanted END;
  phrases boolean := wanted::text LIKE '%<%';
BEGIN
  RETURN QUERY
    WITH known AS MATERIALIZED (
      SELECT * FROM trellis.rank_records(
        'knowledge-file', p_parent, false, wanted, operands, anything, ranking, p_excludes, p_joins, p_most)
    ), amount AS MATERIALIZED (
      SELECT EXISTS (SELECT FROM known k WHERE NOT k.complete) AS beyond
    ), places AS MATERIALIZED (
      SELECT p.file_id, p.terms FROM (
        SELECT * FROM trellis.knowledge_pages i
        WHERE i.terms @@ keys AND i.beyond_entry
        OFFSET 0
      ) p
      WHERE NOT (SELECT beyond FROM amount) AND p.organization_id = organization
      UNION ALL
      -- The row of a whole file has at most 256 positions of each word, so phrases are checked on pages.
      SELECT p.file_id, p.terms FROM (
        SELECT * FROM trellis.knowledge_pages i
        WHERE i.terms @@ keys OFFSET 0
      ) p
      WHERE phrases AND NOT (SELECT beyond FROM amount) AND p.organization_id = organization
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
      WHERE excluded IS NULL OR NOT EXISTS (
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

-- Candidates for a search with one typo: records whose name or title contains all texts. The caller compares them letter by
-- letter. `p_grams`: groups of characters of which every word has some that is within one edit of the longest word of the query.
CREATE OR REPLACE FUNCTION trellis.find_similar(
  p_types text[], p_scopes text[], p_parent uuid, p_published boolean, p_grams text, p_query text, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, folded text, score real, created_at timestamptz, edition integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
  SET search_path = trellis, public, pg_temp
  SET plan_cache_mode = force_generic_plan
  SET max_parallel_workers_per_gather = 0
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET work_mem = '32MB'
AS $$
DECLARE
  organization uuid := trellis.current_organization();
  reading text[] := trellis.current_readers();
  keys tsquery;
BEGIN
  FOR place IN 1 .. cardinality(p_types) LOOP
    keys := trellis.scoped(p_grams, p_scopes[place]);
    RETURN QUERY
      SELECT p_types[place], c.record_id, c.names, word_similarity(p_query, c.names) AS score, c.created_at, c.edition FROM (
        SELECT x.record_id, x.names, x.created_at, x.edition FROM (
          SELECT * FROM trellis.search_records i
          WHERE i.terms @@ keys OFFSET 0
        ) x
        WHERE x.organization_id = organization AND x.parent_id = p_parent AND x.type = p_types[place]
          AND (CASE WHEN p_published THEN x.published ELSE x.working END)
          AND trellis.may_read(x.readers, reading)
        LIMIT 5000
      ) c
      ORDER BY score DESC, c.created_at DESC, c.record_id DESC
      LIMIT p_limit;
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION trellis.find_similar FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.find_similar TO trellis_api;
ALTER FUNCTION trellis.find_similar OWNER TO trellis_search;

-- Flushes the pending lists of the search indexes, so that the next search need not read them. SECURITY DEFINER, because this
-- needs the owner's rights, which no running process has.
CREATE OR REPLACE FUNCTION trellis.insert_pending_keys() RETURNS void
  LANGUAGE sql SECURITY DEFINER
  SET search_path = trellis, pg_temp
AS $$
  SELECT gin_clean_pending_list(name::regclass)
  FROM unnest(ARRAY['trellis.search_records_terms', 'trellis.search_bodies_terms']) AS name;
$$;

REVOKE ALL ON FUNCTION trellis.insert_pending_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.insert_pending_keys TO trellis_worker;
