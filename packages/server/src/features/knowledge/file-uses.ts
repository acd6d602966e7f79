/** What uses a knowledge file: records that refer to it, and articles whose text mentions it. */
import { articles } from '@trellis/schema/resources/articles.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { type Referring, seenInVersion } from '../../kernel/pipeline/write/usage.ts';
import { createFindUses } from '../uses/uses.ts';

/** Articles with a version that readers or editors see, and whose text has the id of the file ($3), as it is written. */
const mentions: Referring = {
  ids: `SELECT m.article_id FROM trellis.article_files m
    JOIN trellis.articles a ON a.organization_id = m.organization_id AND a.site_id = m.site_id AND a.id = m.article_id
    WHERE m.organization_id = $1 AND m.file = $3 AND m.number IN (a.working_version, a.published_version)`,
  seen: seenInVersion(articles, 'article_files', 'file = $3'),
  preventsDeletion: false,
};

export const findFileUses = createFindUses(knowledgeFiles, { resource: articles, referring: mentions });
