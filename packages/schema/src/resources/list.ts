/** The list of resources. Everything that is derived from declarations is derived for the resources in this list. */
import { articles } from './articles.ts';
import { books } from './books.ts';
import { categories } from './categories.ts';
import { clients } from './clients.ts';
import { companies } from './companies.ts';
import { contacts } from './contacts.ts';
import { invitations } from './invitations.ts';
import { issues } from './issues.ts';
import { knowledgeFiles } from './knowledge-files.ts';
import { magazines } from './magazines.ts';
import { members } from './members.ts';
import { organizations } from './organizations.ts';
import type { Resource } from './resource.ts';
import { roles } from './roles.ts';
import { sites } from './sites.ts';
import { tags } from './tags.ts';
import { tokens } from './tokens.ts';
import { declareViews } from './views.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

/** All resources but views, in the order of the documentation. */
const listed: readonly Resource[] = [
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
  organizations,
  roles,
  members,
  invitations,
  clients,
  tokens,
];

/** All resources. Views are declared from the others. */
export const declaredResources: readonly Resource[] = [...listed, declareViews(listed)];
