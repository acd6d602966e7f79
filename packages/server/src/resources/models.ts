/** The models of all resources: the one place where declarations get their own storage and rules. */

import { articles } from '@trellis/schema/resources/articles.ts';
import { categories } from '@trellis/schema/resources/categories.ts';
import { checkRegistered } from '@trellis/schema/resources/check-declarations.ts';
import { clients } from '@trellis/schema/resources/clients.ts';
import { companies } from '@trellis/schema/resources/companies.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { resourceByName, resources } from '@trellis/schema/resources/index.ts';
import { invitations } from '@trellis/schema/resources/invitations.ts';
import { issues } from '@trellis/schema/resources/issues.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { members } from '@trellis/schema/resources/members.ts';
import { organizations } from '@trellis/schema/resources/organizations.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { roles } from '@trellis/schema/resources/roles.ts';
import { tokens } from '@trellis/schema/resources/tokens.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { clientRules } from '../administration/clients/rules.ts';
import { clientStorage } from '../administration/clients/storage.ts';
import { invitationRules } from '../administration/invitations/rules.ts';
import { invitationStorage } from '../administration/invitations/storage.ts';
import { memberRules } from '../administration/members/rules.ts';
import { memberStorage } from '../administration/members/storage.ts';
import { organizationRules, organizationStorage } from '../administration/organization/storage.ts';
import { roleRules } from '../administration/roles/rules.ts';
import { roleStorage } from '../administration/roles/storage.ts';
import { tokenRules } from '../administration/tokens/rules.ts';
import { tokenStorage } from '../administration/tokens/storage.ts';
import { createModel, type Model, type Models, type Rules } from '../pipeline/model.ts';
import { createTableStorage, type Storage } from '../pipeline/storage.ts';
import { endpointRules, endpointStorage } from '../webhooks/endpoints.ts';
import { articleRules } from './articles/rules.ts';
import { articleStorage } from './articles/storage.ts';
import { categoryRules } from './categories/rules.ts';
import { createCompanyRules } from './companies/rules.ts';
import { contactRules } from './contacts/rules.ts';
import { createIssueRules } from './issues/rules.ts';
import { knowledgeFileRules, knowledgeFileStorage } from './knowledge-files/rules.ts';
import { viewRules, viewStorage } from './views/rules.ts';

/** The parts of the resource with the declaration `D` that the declaration and its `RecordRules` cannot express. */
interface Extension<D extends Resource = Resource> {
  /** Storage other than a row and its side tables. */
  readonly storage?: Storage;
  /** Its rules; a function of the models of other resources when it changes their records as well. */
  readonly rules?: Rules<D> | ((modelNamed: (name: string) => Model) => Rules<D>);
}

/** Extensions by the name of the resource. Most resources need none. */
const extensions = new Map<string, Extension>([
  extend(categories, { rules: categoryRules }),
  extend(knowledgeFiles, { storage: knowledgeFileStorage, rules: knowledgeFileRules }),
  extend(articles, { storage: articleStorage, rules: articleRules }),
  extend(issues, { rules: (modelNamed) => createIssueRules(modelNamed(articles.name)) }),
  extend(contacts, { rules: contactRules }),
  extend(companies, { rules: (modelNamed) => createCompanyRules(modelNamed(contacts.name)) }),
  extend(webhookEndpoints, { storage: endpointStorage, rules: endpointRules }),
  extend(organizations, { storage: organizationStorage, rules: organizationRules }),
  extend(members, { storage: memberStorage, rules: memberRules }),
  extend(invitations, { storage: invitationStorage, rules: invitationRules }),
  extend(roles, { storage: roleStorage, rules: roleRules }),
  extend(clients, { storage: clientStorage, rules: clientRules }),
  extend(tokens, { storage: tokenStorage, rules: tokenRules }),
  extend(resourceByName('views'), { storage: viewStorage, rules: viewRules }),
]);

function extend<D extends Resource>({ name }: D, extension: Extension<NoInfer<D>>): [string, Extension] {
  return [name, extension];
}

/** Makes all models; called once, at start. @throws Error for an extension of a resource that is not declared */
export function createModels(): Models {
  checkRegistered('packages/server/src/resources/models.ts', [...extensions.keys()], resources);
  const made = new Map<string, Model>();
  const modelNamed = (name: string): Model => {
    const model = made.get(name) ?? makeModel(name, modelNamed);
    made.set(name, model);
    return model;
  };
  return new Map(resources.map(({ name }) => [name, modelNamed(name)]));
}

function makeModel(name: string, modelNamed: (name: string) => Model): Model {
  const resource = resourceByName(name);
  const { storage, rules = {} } = extensions.get(name) ?? {};
  return createModel(
    resource,
    storage ?? createTableStorage(resource),
    typeof rules === 'function' ? rules(modelNamed) : rules,
  );
}
