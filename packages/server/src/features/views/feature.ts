/** Saved views of lists. */
import { resourceByName } from '@trellis/schema/resources/index.ts';
import type { Feature } from '../../kernel/feature.ts';
import { extend } from '../../kernel/pipeline/extensions.ts';
import { viewRules, viewStorage } from './rules.ts';

export const viewsFeature: Feature = {
  name: 'views',
  extensions: [extend(resourceByName('views'), { storage: viewStorage, rules: viewRules })],
};
