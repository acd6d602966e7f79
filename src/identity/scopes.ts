/** Why: scopes are the part of a token that a person chooses; one list serves tokens, checks and the OpenAPI document. */

/** Resources that have a `:read` and a `:write` scope. */
const scopedResources = {
  sites: 'sites, categories and tags',
  articles: 'articles',
  books: 'books',
  magazines: 'magazines',
  issues: 'magazine issues',
  'knowledge-files': 'knowledge files',
  'crm.contacts': 'CRM contacts',
  'crm.companies': 'CRM companies',
  plants: 'plants of the sandbox',
} as const;

/** Every scope with its meaning. `write` does not imply `read`, though a write answers the record it wrote. */
export const scopes: Readonly<Record<string, string>> = Object.freeze({
  ...Object.fromEntries(
    Object.entries(scopedResources).flatMap(([name, text]) => [
      [`${name}:read`, `Read ${text}.`],
      [`${name}:write`, `Create, update and delete ${text}.`],
    ]),
  ),
  'articles:publish': 'Approve, schedule, publish, unpublish and archive articles.',
  'visitors:read': 'Look website visitors up.',
  'visitors:delete': 'Erase website visitors.',
  'events:read': 'Read the event log.',
  'webhooks:manage': 'Manage webhook endpoints.',
});

/** The names of all scopes. */
export const allScopes: readonly string[] = Object.keys(scopes);
