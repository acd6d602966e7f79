/** The list of resources. A declaration that stands here has everything that is derived from declarations. */
import { articles } from './articles.ts';
import { books } from './books.ts';
import { categories } from './categories.ts';
import { companies } from './companies.ts';
import { contacts } from './contacts.ts';
import { issues } from './issues.ts';
import { knowledgeFiles } from './knowledge-files.ts';
import { magazines } from './magazines.ts';
import type { Resource } from './resource.ts';
import { sites } from './sites.ts';
import { tags } from './tags.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

/** All resources, in the order in which they are described. */
export const declaredResources: readonly Resource[] = [
  sites,
  categories,
  tags,
  knowledgeFiles,
  articles,
  books,
  magazines,
  issues,
  contacts,
  companies,
  webhookEndpoints,
];
