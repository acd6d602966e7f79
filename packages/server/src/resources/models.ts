/** Why: the one place where resources, their storage and their rules are put together. */

import { articles } from '@trellis/schema/resources/articles.ts';
import { books } from '@trellis/schema/resources/books.ts';
import { categories } from '@trellis/schema/resources/categories.ts';
import { companies } from '@trellis/schema/resources/companies.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { issues } from '@trellis/schema/resources/issues.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { magazines } from '@trellis/schema/resources/magazines.ts';
import { sites } from '@trellis/schema/resources/sites.ts';
import { tags } from '@trellis/schema/resources/tags.ts';
import type { Statement } from '../database/flight.ts';
import { createModel, type Model, type Models } from '../pipeline/model.ts';
import { createTableStorage } from '../pipeline/storage.ts';
import { createWebhookEndpointModel } from '../webhooks/endpoints.ts';
import { articleRules } from './articles/rules.ts';
import { articleStorage } from './articles/storage.ts';
import { bookRules } from './books/rules.ts';
import { categoryRules } from './categories/rules.ts';
import { companyDomains, companyTags, createCompanyRules } from './companies/rules.ts';
import {
  contactCompanies,
  contactEmails,
  contactPhones,
  contactRules,
  contactTags,
} from './contacts/rules.ts';
import { createIssueRules, issueArticles } from './issues/rules.ts';
import { fileList, knowledgeFileRules, knowledgeFileStorage } from './knowledge-files/rules.ts';
import { magazineIssns, magazineRules } from './magazines/rules.ts';

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

const magazineUsage: readonly Statement[] = [
  {
    name: 'magazine_issues',
    text: "SELECT 'issues', count(*) FROM trellis.issues WHERE organization_id = $1 AND magazine_id = $2",
  },
];

const companyUsage: readonly Statement[] = [
  {
    name: 'company_children',
    text: `SELECT 'companies', count(*) FROM trellis.companies
      WHERE organization_id = $1 AND parent_company_id = $2`,
  },
];

/** Makes all models; called once, at start. */
export function createModels(): Models {
  const article = createModel(articles, articleStorage, articleRules);
  const contactSides = [contactEmails, contactPhones, contactTags, contactCompanies];
  const contact = createModel(contacts, createTableStorage(contacts, [], contactSides), contactRules);
  const issueSides = [issueArticles, fileList('issue_files')];
  const companyStorage = createTableStorage(companies, companyUsage, [companyDomains, companyTags]);
  const models: readonly Model[] = [
    createModel(sites, createTableStorage(sites, ['articles', 'categories', 'tags'].map(inSite)), {}),
    createModel(categories, createTableStorage(categories, categoryUsage), categoryRules),
    createModel(tags, createTableStorage(tags, tagUsage), {
      slug: { field: 'slug', from: 'name', maxLength: 120 },
    }),
    createModel(knowledgeFiles, knowledgeFileStorage, knowledgeFileRules),
    article,
    createModel(books, createTableStorage(books, [], [fileList('book_files')]), bookRules),
    createModel(magazines, createTableStorage(magazines, magazineUsage, [magazineIssns]), magazineRules),
    createModel(issues, createTableStorage(issues, [], issueSides), createIssueRules(article)),
    contact,
    createModel(companies, companyStorage, createCompanyRules(contact)),
    createWebhookEndpointModel(),
  ];
  return new Map(models.map((model) => [model.resource.name, model]));
}
