/** The models of all resources: the one place where declarations get the storage and rules that are particular to them. */
import { createModel, type Model, type Models, type Rules } from '../pipeline/model.ts';
import { createTableStorage, type Storage } from '../pipeline/storage.ts';
import { articles } from '../resources/articles.ts';
import { books } from '../resources/books.ts';
import { categories } from '../resources/categories.ts';
import { checkRegistered } from '../resources/check-declarations.ts';
import { companies } from '../resources/companies.ts';
import { contacts } from '../resources/contacts.ts';
import { resourceByName, resources } from '../resources/index.ts';
import { issues } from '../resources/issues.ts';
import { knowledgeFiles } from '../resources/knowledge-files.ts';
import { magazines } from '../resources/magazines.ts';
import { webhookEndpoints } from '../resources/webhook-endpoints.ts';
import { endpointRules, endpointStorage } from '../webhooks/endpoints.ts';
import { articleRules } from './article-rules.ts';
import { articleStorage } from './article-storage.ts';
import { bookRules } from './books.ts';
import { categoryRules } from './categories.ts';
import { createCompanyRules } from './companies.ts';
import { contactRules } from './contacts.ts';
import { createIssueRules } from './issues.ts';
import { knowledgeFileRules, knowledgeFileStorage } from './knowledge-files.ts';
import { magazineRules } from './magazines.ts';

/** What is particular to a resource beside its declaration. */
interface Extension {
  /** How it is kept, where that is more than a row and its side tables. */
  readonly storage?: Storage;
  /** Rules of its own; made from the models of other resources where it changes their records too. */
  readonly rules?: Rules | ((modelNamed: (name: string) => Model) => Rules);
}

/** Extensions by the name of the resource. Most resources need none: their declaration says all. */
const extensions: Readonly<Record<string, Extension>> = {
  [categories.name]: { rules: categoryRules },
  [knowledgeFiles.name]: { storage: knowledgeFileStorage, rules: knowledgeFileRules },
  [articles.name]: { storage: articleStorage, rules: articleRules },
  [books.name]: { rules: bookRules },
  [magazines.name]: { rules: magazineRules },
  [issues.name]: { rules: (modelNamed) => createIssueRules(modelNamed(articles.name)) },
  [contacts.name]: { rules: contactRules },
  [companies.name]: { rules: (modelNamed) => createCompanyRules(modelNamed(contacts.name)) },
  [webhookEndpoints.name]: { storage: endpointStorage, rules: endpointRules },
};

/** Makes all models; called once, at start. @throws Error for an extension of a resource that is not declared */
export function createModels(): Models {
  checkRegistered('src/content/models.ts', Object.keys(extensions), resources);
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
  const { storage, rules = {} } = extensions[name] ?? {};
  return createModel(
    resource,
    storage ?? createTableStorage(resource),
    typeof rules === 'function' ? rules(modelNamed) : rules,
  );
}
