/**
 * The knowledge files that the texts of articles mention: a row of `article_files` for each version and file, written with the version.
 * They are found by their ids, which stand in the addresses of pictures and of other contents, whatever the format of the text.
 */
import { type Statement, type Step, step } from '../../kernel/database/batch.ts';

/** Files of one version that are noted. */
const mostFiles = 1_000;

const forget: Statement = {
  name: 'forget_article_files',
  text: `DELETE FROM trellis.article_files
    WHERE organization_id = $1 AND site_id = $2 AND article_id = $3 AND number = $4`,
};
const forgetAll: Statement = {
  name: 'forget_article_files_of_all',
  text: 'DELETE FROM trellis.article_files WHERE organization_id = $1 AND site_id = $2 AND article_id = $3',
  isJoinable: true,
};
const noteVersions = (condition: string) => `INSERT INTO trellis.article_files
      (organization_id, site_id, article_id, number, file)
    SELECT v.organization_id, v.site_id, v.article_id, v.number, m.file
    FROM trellis.article_versions v
    CROSS JOIN LATERAL (SELECT DISTINCT found[1] AS file
      FROM regexp_matches(v.body, 'kf_[0-9a-z]{26}', 'g') AS found LIMIT ${mostFiles}) m
    WHERE v.organization_id = $1 AND v.site_id = $2 AND v.article_id = $3${condition}`;
const note: Statement = { name: 'note_article_files', text: noteVersions(' AND v.number = $4') };
const noteAll: Statement = { name: 'note_article_files_of_all', text: noteVersions('') };

/** Whether a text may mention a file. */
function mentions(body: unknown): boolean {
  return typeof body === 'string' && body.includes('kf_');
}

/**
 * The steps after a version was written; none for a text that mentions no file, and did not.
 * @param key of the version
 * @param before the stored text that it replaces; null for a new version
 */
export function mentionSteps(
  key: readonly [organizationId: string, siteId: string, articleId: string, number: string],
  before: unknown,
  after: unknown,
): Step[] {
  if (before === after) return [];
  return [
    ...(mentions(before) ? [step(forget, [...key])] : []),
    ...(mentions(after) ? [step(note, [...key])] : []),
  ];
}

/** The step that deletes the rows of an article with all its versions. */
export function forgetAllStep(key: readonly [string, string, string]): Step {
  return step(forgetAll, [...key]);
}

/** The step after all versions of an article were restored. */
export function allMentionsStep(key: readonly [string, string, string]): Step {
  return step(noteAll, [...key]);
}
