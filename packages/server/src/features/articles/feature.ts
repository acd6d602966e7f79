/** Articles with their versions, and the categories of a site. */
import { articles } from '@trellis/schema/resources/articles.ts';
import { categories } from '@trellis/schema/resources/categories.ts';
import type { Feature } from '../../kernel/feature.ts';
import { extend } from '../../kernel/pipeline/extensions.ts';
import { categoryRules } from './category-rules.ts';
import { articleOperations } from './operations.ts';
import { articleRules } from './rules.ts';
import { articleStorage } from './storage.ts';
import { articleVersionSchemas } from './version-schemas.ts';

export const articlesFeature: Feature = {
  name: 'articles',
  extensions: [
    extend(categories, { rules: categoryRules }),
    extend(articles, { storage: articleStorage, rules: articleRules }),
  ],
  serve: (context) => ({
    ownOperations: { [articles.name]: (model, shared) => articleOperations(context, model, shared) },
  }),
  documents: { schemas: articleVersionSchemas },
};
