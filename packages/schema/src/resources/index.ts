/** Why: the one list of resources that everything is derived from. */
import { articles } from './articles.ts';
import { books } from './books.ts';
import { categories } from './categories.ts';
import { companies } from './companies.ts';
import { contacts } from './contacts.ts';
import { checkImportDeclarations } from './import.ts';
import { issues } from './issues.ts';
import { knowledgeFiles } from './knowledge-files.ts';
import { magazines } from './magazines.ts';
import type { Resource } from './resource.ts';
import { sites } from './sites.ts';
import { tags } from './tags.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

export const resources: readonly Resource[] = [
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

checkImportDeclarations(resources);

/** The resource of that name; a wrong name is a mistake in our own declarations. */
export function resourceByName(name: string): Resource {
  const found = resources.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`no resource is named ${name}`);
  return found;
}
