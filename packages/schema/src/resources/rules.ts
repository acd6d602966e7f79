/**
 * The list of the rules of resources. It is apart from the list of resources because some rules depend on all resources, and others on
 * the data of all countries' phone numbers, which not every page of the console needs.
 */

import { articleRules } from './article-rules.ts';
import { articles } from './articles.ts';
import { bookRules, books } from './books.ts';
import { clientRules, clients } from './clients.ts';
import { companies } from './companies.ts';
import { companyRules } from './company-rules.ts';
import { contactRules } from './contact-rules.ts';
import { contacts } from './contacts.ts';
import { invitationRules, invitations } from './invitations.ts';
import { issueRules, issues } from './issues.ts';
import { magazineRules, magazines } from './magazines.ts';
import type { RecordRules } from './record-rules.ts';
import type { Resource } from './resource.ts';
import { roleRules } from './role-rules.ts';
import { roles } from './roles.ts';
import { tokenRules } from './token-rules.ts';
import { tokens } from './tokens.ts';
import { webhookEndpointRules } from './webhook-endpoint-rules.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

const rulesByName = new Map<string, RecordRules>([
  named(articles, articleRules),
  named(books, bookRules),
  named(magazines, magazineRules),
  named(issues, issueRules),
  named(contacts, contactRules),
  named(companies, companyRules),
  named(webhookEndpoints, webhookEndpointRules),
  named(roles, roleRules),
  named(invitations, invitationRules),
  named(clients, clientRules),
  named(tokens, tokenRules),
]);

function named<R extends Resource>({ name }: R, rules: RecordRules<NoInfer<R>>): [string, RecordRules] {
  return [name, rules];
}

/** The rules of a resource; most have none. */
export function rulesOf({ name }: Pick<Resource, 'name'>): RecordRules {
  return rulesByName.get(name) ?? {};
}
