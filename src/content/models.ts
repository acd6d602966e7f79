/** Why: the one place where resources, their storage and their rules are put together. */
import type { Statement } from '../database/flight.ts';
import { createModel, type Model, type Models } from '../pipeline/model.ts';
import { createTableStorage } from '../pipeline/storage.ts';
import { articles } from '../resources/articles.ts';
import { categories } from '../resources/categories.ts';
import { sites } from '../resources/sites.ts';
import { tags } from '../resources/tags.ts';
import { articleRules } from './article-rules.ts';
import { articleStorage } from './article-storage.ts';
import { categoryRules } from './categories.ts';

const inSite = (label: string): Statement => ({
  name: `site_${label}`,
  text: `SELECT '${label}', count(*) FROM trellis.${label} WHERE organization_id = $1 AND site_id = $2`,
});

const categoryUsage: readonly Statement[] = [
  {
    name: 'category_articles',
    text: `SELECT 'articles', count(*) FROM trellis.article_categories
      WHERE organization_id = $1 AND site_id = $2 AND category_id = $3`,
  },
  {
    name: 'category_children',
    text: `SELECT 'categories', count(*) FROM trellis.categories
      WHERE organization_id = $1 AND site_id = $2 AND parent_id = $3`,
  },
];

const tagUsage: readonly Statement[] = [
  {
    name: 'tag_articles',
    text: `SELECT 'articles', count(*) FROM trellis.article_tags
      WHERE organization_id = $1 AND site_id = $2 AND tag_id = $3`,
  },
];

/** Makes all models; called once, at start. */
export function createModels(): Models {
  const models: readonly Model[] = [
    createModel(sites, createTableStorage(sites, ['articles', 'categories', 'tags'].map(inSite)), {}),
    createModel(categories, createTableStorage(categories, categoryUsage), categoryRules),
    createModel(tags, createTableStorage(tags, tagUsage), {
      slug: { field: 'slug', from: 'name', maxLength: 120 },
    }),
    createModel(articles, articleStorage, articleRules),
  ];
  return new Map(models.map((model) => [model.resource.name, model]));
}
