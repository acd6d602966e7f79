/** Puts resources, their storage and their rules together. */
import type { Statement } from '../database/batch.ts';
import { createModel, type Model, type Models } from '../pipeline/model.ts';
import { createTableStorage } from '../pipeline/storage.ts';
import { articles } from '../resources/articles.ts';
import { books } from '../resources/books.ts';
import { categories } from '../resources/categories.ts';
import { companies } from '../resources/companies.ts';
import { contacts } from '../resources/contacts.ts';
import { issues } from '../resources/issues.ts';
import { knowledgeFiles } from '../resources/knowledge-files.ts';
import { magazines } from '../resources/magazines.ts';
import { sites } from '../resources/sites.ts';
import { tags } from '../resources/tags.ts';
import { createWebhookEndpointModel } from '../webhooks/endpoints.ts';
import { articleRules } from './article-rules.ts';
import { articleStorage } from './article-storage.ts';
import { bookRules } from './books.ts';
import { categoryRules } from './categories.ts';
import { companyDomains, companyTags, createCompanyRules } from './companies.ts';
import { contactCompanies, contactEmails, contactPhones, contactRules, contactTags } from './contacts.ts';
import { createIssueRules, issueArticles } from './issues.ts';
import { fileList, knowledgeFileRules, knowledgeFileStorage } from './knowledge-files.ts';
import { magazineIssns, magazineRules } from './magazines.ts';

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
