/**
 * The rows that a write of ours consists of, written by one statement each of a superuser, who is bound by no policy, and without anything that
 * comes before: what PostgreSQL takes for them at least, with their constraints and indexes.
 */

const response = `INSERT INTO trellis.idempotency_keys
    (organization_id, client_id, user_id, key, fingerprint, status, etag, shows, created_at, published, subject_id)
  SELECT site.organization_id, client.id, member.user_id, uuidv7(), sha256($2::text::bytea), 201, '"1"', 'RECORD', now(), '{}', $1
  FROM site, client, member`;
const event = (type: string, field = 'versionData.title') => `INSERT INTO trellis.outbox
    (organization_id, id, type, subject_type, subject_id, parent_id, subject_version, actor_user_id, request_id, changed_fields, occurred_at)
  SELECT site.organization_id, uuidv7(), '${type}', 'article', $1, site.id, 1, member.user_id, 'bench', '{"${field}"}', now()
  FROM site, member`;
const change = (field: string) => `INSERT INTO trellis.changes
    (organization_id, record_id, version, changed_at, changed_by, client_id, action, fields)
  SELECT a.organization_id, a.id, a.version + 1, now(), member.user_id, client.id, 'updated',
    json_build_object('${field}', json_build_array('before', $4::text))
  FROM trellis.articles a JOIN site ON site.organization_id = a.organization_id AND site.id = a.site_id AND a.id = $1, client, member`;
/** Of the site $3: who writes. */
const writer = `site AS MATERIALIZED (SELECT organization_id, id FROM trellis.sites WHERE id = $3),
  client AS MATERIALIZED (SELECT c.id FROM trellis.clients c JOIN site USING (organization_id) LIMIT 1),
  member AS MATERIALIZED (SELECT m.user_id FROM trellis.memberships m JOIN site USING (organization_id) LIMIT 1)`;

/** $1 id, $2 response, $3 site, $4 category, $5 title, $6 slug, $7 summary, $8 body, $9 and $10 what the short texts and the body are found by. */
export const createRows = `WITH ${writer}, article AS (
    INSERT INTO trellis.articles (organization_id, site_id, id, version, created_at, updated_at, created_by, updated_by, allow_comments,
      category_ids, primary_category_id, tag_ids, authors, slug, featured, state, working_version, title, status, locale)
    SELECT organization_id, site.id, $1, 1, now(), now(), user_id, user_id, false, ARRAY[$4::uuid], $4, '{}', '[]', $6, false,
      'UNPUBLISHED', 1, $5, 'DRAFT', 'en' FROM site, member
  ), version AS (
    INSERT INTO trellis.article_versions (organization_id, site_id, article_id, number, created_at, updated_at, created_by, updated_by,
      title, summary, body, body_format, locale, status, word_count)
    SELECT organization_id, site.id, $1, 1, now(), now(), user_id, user_id, $5, $7, $8, 'MARKDOWN', 'en', 'DRAFT', 600 FROM site, member
  ), category AS (
    INSERT INTO trellis.article_categories (organization_id, site_id, article_id, category_id)
    SELECT organization_id, id, $1, $4 FROM site
  ), record AS (
    INSERT INTO trellis.search_records
      (organization_id, type, record_id, edition, parent_id, created_at, working, published, names, others, terms)
    SELECT organization_id, 'article', $1, 1, id, now(), true, false, lower($5), '', $9::tsvector FROM site
  ), long AS (
    INSERT INTO trellis.search_bodies (organization_id, type, record_id, edition, created_at, terms)
    SELECT organization_id, 'article', $1, 1, now(), $10::tsvector FROM site
  ), event AS (${event('article.created')})
  ${response}`;

/** $1 id of a draft, $2 response, $3 site, $4 title, $5 what the short texts are found by. */
export const renameRows = `WITH ${writer}, article AS (
    UPDATE trellis.articles a SET version = a.version + 1, updated_at = now(), title = $4
    FROM site WHERE a.organization_id = site.organization_id AND a.site_id = site.id AND a.id = $1
  ), version AS (
    UPDATE trellis.article_versions v SET updated_at = now(), title = $4
    FROM site WHERE v.organization_id = site.organization_id AND v.site_id = site.id AND v.article_id = $1 AND v.number = 1
  ), record AS (
    UPDATE trellis.search_records r SET names = lower($4), terms = $5::tsvector
    FROM site WHERE r.organization_id = site.organization_id AND r.type = 'article' AND r.record_id = $1 AND r.edition = 1
  ), event AS (${event('article.updated')}), change AS (${change('versionData.title')})
  ${response}`;

/** $1 id of a draft, $2 response, $3 site, $4 URL. */
export const readdressRows = `WITH ${writer}, article AS (
    UPDATE trellis.articles a SET version = a.version + 1, updated_at = now(), canonical_url = $4
    FROM site WHERE a.organization_id = site.organization_id AND a.site_id = site.id AND a.id = $1
  ), event AS (${event('article.updated', 'articleData.canonicalUrl')}), change AS (${change('articleData.canonicalUrl')})
  ${response}`;
