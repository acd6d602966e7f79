/** Issues of magazines, which publish their articles. */
import { articles } from '@trellis/schema/resources/articles.ts';
import { issues } from '@trellis/schema/resources/issues.ts';
import type { Feature } from '../../kernel/feature.ts';
import { extend } from '../../kernel/pipeline/extensions.ts';
import { createIssueRules } from './rules.ts';

export const issuesFeature: Feature = {
  name: 'issues',
  extensions: [extend(issues, { rules: (modelNamed) => createIssueRules(modelNamed(articles.name)) })],
};
