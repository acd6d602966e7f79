// Generated from the OpenAPI document by "npm run generate". Do not edit.

// Every operation of the API: the types of its parameters, body and response, and how it is sent.

import type { Content } from '../content.ts';
import type {
  Activity,
  Article,
  ArticleCreate,
  ArticleList,
  ArticlePatch,
  ArticleSearchResults,
  ArticleVersion,
  ArticleVersionDifference,
  ArticleVersionList,
  AsyncApiDocument,
  BatchCreate,
  BatchOutcomes,
  Book,
  BookCreate,
  BookList,
  BookPatch,
  BookSearchResults,
  Category,
  CategoryCreate,
  CategoryList,
  CategoryPatch,
  CategorySearchResults,
  Client,
  ClientCreate,
  ClientList,
  ClientPatch,
  ClientSearchResults,
  Company,
  CompanyCreate,
  CompanyList,
  CompanyPatch,
  CompanySearchResults,
  Contact,
  ContactCreate,
  ContactList,
  ContactPatch,
  ContactSearchResults,
  Counts,
  EventList,
  History,
  Invitation,
  InvitationCreate,
  InvitationList,
  InvitationSearchResults,
  InvitationWithLink,
  Issue,
  IssueCreate,
  IssueList,
  IssuePatch,
  IssueSearchResults,
  KnowledgeFile,
  KnowledgeFileCreate,
  KnowledgeFileList,
  KnowledgeFilePatch,
  KnowledgeFileSearchResults,
  Magazine,
  MagazineCreate,
  MagazineList,
  MagazinePatch,
  MagazineSearchResults,
  Me,
  Member,
  MemberCreate,
  MemberList,
  MemberPatch,
  MemberSearchResults,
  OpenApiDocument,
  Organization,
  OrganizationPatch,
  RestoredRecord,
  Role,
  RoleCreate,
  RoleList,
  RolePatch,
  RoleSearchResults,
  Selection,
  Session,
  SessionList,
  Site,
  SiteCreate,
  SiteList,
  SitePatch,
  SiteSearchResults,
  Tag,
  TagCreate,
  TagList,
  TagPatch,
  TagSearchResults,
  Token,
  TokenCreate,
  TokenList,
  TokenPatch,
  TokenRotationCreate,
  TokenSearchResults,
  TokenWithSecret,
  TrashList,
  Usage,
  View,
  ViewCreate,
  ViewList,
  ViewPatch,
  ViewSearchResults,
  VisitCounts,
  Visitor,
  VisitorIdentification,
  VisitorIdentificationCreate,
  VisitorList,
  VisitorLookupChangelog,
  Waiting,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointList,
  WebhookEndpointPatch,
  WebhookEndpointSearchResults,
  WebhookEndpointWithSecret,
  WebhookReplay,
  WebhookReplayCreate,
} from './types.ts';

/** Types by operation. `selection` is the response to a request with the parameter `fields`. */
export interface Operations {
  /** List sites. */
  listSites: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no site that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** The site with this key. */
      key?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `name` contains this text. Case and accents are ignored. */
      'name[contains]'?: string | undefined;
      /** Only records whose `key` contains this text. Case and accents are ignored. */
      'key[contains]'?: string | undefined;
      /** Only records with this `defaultLocale`. */
      defaultLocale?: readonly string[] | undefined;
      /** Only records that have an item in `domains`, or only those that have none. */
      'domains[exists]'?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: SiteList;
    selection: Omit<SiteList, 'items'> & { items: readonly Selection<Site>[] };
  };
  /** Create a site. */
  createSite: {
    path: null;
    query: null;
    body: SiteCreate;
    result: Site;
    selection: null;
  };
  /** Create or change a site. */
  upsertSite: {
    path: null;
    query: {
      /** The value by which a site is found: `externalId`. The body has to contain it. Several values in a list match the record that has any of them; if they belong to different records, the response is 409 `ambiguous_match`. */
      matching: 'externalId';
    };
    body: SitePatch;
    result: Site;
    selection: null;
  };
  /** Read a site. */
  getSite: {
    path: {
      /** Id of the site. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: Site;
    selection: Selection<Site>;
  };
  /** Change a site. */
  updateSite: {
    path: {
      /** Id of the site. */
      id: string;
    };
    query: null;
    body: SitePatch;
    result: Site;
    selection: null;
  };
  /** Delete a site. */
  deleteSite: {
    path: {
      /** Id of the site. */
      id: string;
    };
    query: {
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in its history, in stored responses or in events. */
      erase?: boolean | undefined;
    };
    body: null;
    result: null;
    selection: null;
  };
  /** Search sites. */
  searchSites: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: SiteSearchResults;
    selection: null;
  };
  /** Write several sites at once. */
  batchSites: {
    path: null;
    query: null;
    body: BatchCreate;
    result: BatchOutcomes;
    selection: null;
  };
  /** List the changes of one site. */
  listSiteHistory: {
    path: {
      /** Id of the site. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one site as of a version. */
  getSiteAsOf: {
    path: {
      /** Id of the site. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: Site;
    selection: null;
  };
  /** List categories. */
  listCategories: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, only words match. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no category that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** The category with this slug. */
      slug?: string | undefined;
      /** Categories directly below this one. */
      parentId?: readonly string[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `name` contains this text. Case and accents are ignored. */
      'name[contains]'?: string | undefined;
      /** Only records whose `slug` contains this text. Case and accents are ignored. */
      'slug[contains]'?: string | undefined;
      /** Only records that have a value in `description`, or only those that have none. */
      'description[exists]'?: boolean | undefined;
      /** Only records whose `description` contains this text. Case and accents are ignored. */
      'description[contains]'?: string | undefined;
      /** Only records that have a value in `parentId`, or only those that have none. */
      'parentId[exists]'?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: sites and categories. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly ('siteId' | 'parentId')[] | undefined;
    };
    body: null;
    result: CategoryList;
    selection: Omit<CategoryList, 'items'> & { items: readonly Selection<Category>[] };
  };
  /** Create a category. */
  createCategory: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: null;
    body: CategoryCreate;
    result: Category;
    selection: null;
  };
  /** Create or change a category. */
  upsertCategory: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: {
      /** The value by which a category is found: `externalId`. The body has to contain it. Several values in a list match the record that has any of them; if they belong to different records, the response is 409 `ambiguous_match`. */
      matching: 'externalId';
    };
    body: CategoryPatch;
    result: Category;
    selection: null;
  };
  /** Read a category. */
  getCategory: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the category. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: sites and categories. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly ('siteId' | 'parentId')[] | undefined;
    };
    body: null;
    result: Category;
    selection: Selection<Category>;
  };
  /** Change a category. */
  updateCategory: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the category. */
      id: string;
    };
    query: null;
    body: CategoryPatch;
    result: Category;
    selection: null;
  };
  /** Delete a category. */
  deleteCategory: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the category. */
      id: string;
    };
    query: {
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in its history, in stored responses or in events. */
      erase?: boolean | undefined;
    };
    body: null;
    result: null;
    selection: null;
  };
  /** Search categories. */
  searchCategories: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: sites and categories. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly ('siteId' | 'parentId')[] | undefined;
    };
    body: null;
    result: CategorySearchResults;
    selection: null;
  };
  /** Write several categories at once. */
  batchCategories: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: null;
    body: BatchCreate;
    result: BatchOutcomes;
    selection: null;
  };
  /** List the changes of one category. */
  listCategoryHistory: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the category. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one category as of a version. */
  getCategoryAsOf: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the category. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: Category;
    selection: null;
  };
  /** List tags. */
  listTags: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no tag that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** The tag with this slug. */
      slug?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `name` contains this text. Case and accents are ignored. */
      'name[contains]'?: string | undefined;
      /** Only records whose `slug` contains this text. Case and accents are ignored. */
      'slug[contains]'?: string | undefined;
      /** Only records that have a value in `color`, or only those that have none. */
      'color[exists]'?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: sites. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'siteId'[] | undefined;
    };
    body: null;
    result: TagList;
    selection: Omit<TagList, 'items'> & { items: readonly Selection<Tag>[] };
  };
  /** Create a tag. */
  createTag: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: null;
    body: TagCreate;
    result: Tag;
    selection: null;
  };
  /** Create or change a tag. */
  upsertTag: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: {
      /** The value by which a tag is found: `externalId`. The body has to contain it. Several values in a list match the record that has any of them; if they belong to different records, the response is 409 `ambiguous_match`. */
      matching: 'externalId';
    };
    body: TagPatch;
    result: Tag;
    selection: null;
  };
  /** Read a tag. */
  getTag: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the tag. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: sites. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'siteId'[] | undefined;
    };
    body: null;
    result: Tag;
    selection: Selection<Tag>;
  };
  /** Change a tag. */
  updateTag: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the tag. */
      id: string;
    };
    query: null;
    body: TagPatch;
    result: Tag;
    selection: null;
  };
  /** Delete a tag. */
  deleteTag: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the tag. */
      id: string;
    };
    query: {
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in its history, in stored responses or in events. */
      erase?: boolean | undefined;
    };
    body: null;
    result: null;
    selection: null;
  };
  /** Search tags. */
  searchTags: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: sites. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'siteId'[] | undefined;
    };
    body: null;
    result: TagSearchResults;
    selection: null;
  };
  /** Write several tags at once. */
  batchTags: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: null;
    body: BatchCreate;
    result: BatchOutcomes;
    selection: null;
  };
  /** List the changes of one tag. */
  listTagHistory: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the tag. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one tag as of a version. */
  getTagAsOf: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the tag. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: Tag;
    selection: null;
  };
  /** List knowledge files. */
  listKnowledgeFiles: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, `$name`, only words match. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no knowledge file that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | '-expiresAt' | 'expiresAt' | '-sizeBytes' | 'sizeBytes' | '-pageCount' | 'pageCount' | '-extractedCharacters' | 'extractedCharacters' | '-width' | 'width' | '-height' | 'height' | '-publicSince' | 'publicSince' | undefined;
      /** Status of the content. */
      status?: readonly ('PENDING_UPLOAD' | 'PROCESSING' | 'READY' | 'NOT_APPLICABLE' | 'FAILED')[] | undefined;
      /** Who may see it. */
      visibility?: readonly ('PRIVATE' | 'RESTRICTED' | 'ORGANIZATION')[] | undefined;
      /** Only pictures (JPEG, PNG, WebP, GIF, AVIF, TIFF), or only other files. */
      picture?: boolean | undefined;
      /** Files that this member owns. */
      ownerUserId?: readonly string[] | undefined;
      /** Files with this label. */
      tag?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `name` contains this text. Case and accents are ignored. */
      'name[contains]'?: string | undefined;
      /** Only records that have a value in `description`, or only those that have none. */
      'description[exists]'?: boolean | undefined;
      /** Only records whose `description` contains this text. Case and accents are ignored. */
      'description[contains]'?: string | undefined;
      /** Only records that have an item in `tags`, or only those that have none. */
      'tags[exists]'?: boolean | undefined;
      /** Only records with this `language`. */
      language?: readonly string[] | undefined;
      /** Only records that have a value in `language`, or only those that have none. */
      'language[exists]'?: boolean | undefined;
      /** Only records that have a value in `sourceUrl`, or only those that have none. */
      'sourceUrl[exists]'?: boolean | undefined;
      /** Only records whose `sourceUrl` contains this text. Case and accents are ignored. */
      'sourceUrl[contains]'?: string | undefined;
      /** Only records that have a value in `expiresAt`, or only those that have none. */
      'expiresAt[exists]'?: boolean | undefined;
      /** Only records whose `expiresAt` is this or later. Records without the value are not found. */
      'expiresAt[gte]'?: string | undefined;
      /** Only records whose `expiresAt` is later than this. Records without the value are not found. */
      'expiresAt[gt]'?: string | undefined;
      /** Only records whose `expiresAt` is this or earlier. Records without the value are not found. */
      'expiresAt[lte]'?: string | undefined;
      /** Only records whose `expiresAt` is earlier than this. Records without the value are not found. */
      'expiresAt[lt]'?: string | undefined;
      /** Only records that have an item in `allowedUserIds`, or only those that have none. */
      'allowedUserIds[exists]'?: boolean | undefined;
      /** Only records that have an item in `allowedRoles`, or only those that have none. */
      'allowedRoles[exists]'?: boolean | undefined;
      /** Only records that have a value in `alternativeText`, or only those that have none. */
      'alternativeText[exists]'?: boolean | undefined;
      /** Only records whose `alternativeText` contains this text. Case and accents are ignored. */
      'alternativeText[contains]'?: string | undefined;
      /** Only records that have a value in `focalPoint`, or only those that have none. */
      'focalPoint[exists]'?: boolean | undefined;
      /** Only records that have a value in `sizeBytes`, or only those that have none. */
      'sizeBytes[exists]'?: boolean | undefined;
      /** Only records whose `sizeBytes` is at least this. Records without the value are not found. */
      'sizeBytes[gte]'?: number | undefined;
      /** Only records whose `sizeBytes` is greater than this. Records without the value are not found. */
      'sizeBytes[gt]'?: number | undefined;
      /** Only records whose `sizeBytes` is at most this. Records without the value are not found. */
      'sizeBytes[lte]'?: number | undefined;
      /** Only records whose `sizeBytes` is less than this. Records without the value are not found. */
      'sizeBytes[lt]'?: number | undefined;
      /** Only records that have a value in `pageCount`, or only those that have none. */
      'pageCount[exists]'?: boolean | undefined;
      /** Only records whose `pageCount` is at least this. Records without the value are not found. */
      'pageCount[gte]'?: number | undefined;
      /** Only records whose `pageCount` is greater than this. Records without the value are not found. */
      'pageCount[gt]'?: number | undefined;
      /** Only records whose `pageCount` is at most this. Records without the value are not found. */
      'pageCount[lte]'?: number | undefined;
      /** Only records whose `pageCount` is less than this. Records without the value are not found. */
      'pageCount[lt]'?: number | undefined;
      /** Only records that have a value in `extractedCharacters`, or only those that have none. */
      'extractedCharacters[exists]'?: boolean | undefined;
      /** Only records whose `extractedCharacters` is at least this. Records without the value are not found. */
      'extractedCharacters[gte]'?: number | undefined;
      /** Only records whose `extractedCharacters` is greater than this. Records without the value are not found. */
      'extractedCharacters[gt]'?: number | undefined;
      /** Only records whose `extractedCharacters` is at most this. Records without the value are not found. */
      'extractedCharacters[lte]'?: number | undefined;
      /** Only records whose `extractedCharacters` is less than this. Records without the value are not found. */
      'extractedCharacters[lt]'?: number | undefined;
      /** Only records that have a value in `width`, or only those that have none. */
      'width[exists]'?: boolean | undefined;
      /** Only records whose `width` is at least this. Records without the value are not found. */
      'width[gte]'?: number | undefined;
      /** Only records whose `width` is greater than this. Records without the value are not found. */
      'width[gt]'?: number | undefined;
      /** Only records whose `width` is at most this. Records without the value are not found. */
      'width[lte]'?: number | undefined;
      /** Only records whose `width` is less than this. Records without the value are not found. */
      'width[lt]'?: number | undefined;
      /** Only records that have a value in `height`, or only those that have none. */
      'height[exists]'?: boolean | undefined;
      /** Only records whose `height` is at least this. Records without the value are not found. */
      'height[gte]'?: number | undefined;
      /** Only records whose `height` is greater than this. Records without the value are not found. */
      'height[gt]'?: number | undefined;
      /** Only records whose `height` is at most this. Records without the value are not found. */
      'height[lte]'?: number | undefined;
      /** Only records whose `height` is less than this. Records without the value are not found. */
      'height[lt]'?: number | undefined;
      /** Only records that have a value in `publicSince`, or only those that have none. */
      'publicSince[exists]'?: boolean | undefined;
      /** Only records whose `publicSince` is this or later. Records without the value are not found. */
      'publicSince[gte]'?: string | undefined;
      /** Only records whose `publicSince` is later than this. Records without the value are not found. */
      'publicSince[gt]'?: string | undefined;
      /** Only records whose `publicSince` is this or earlier. Records without the value are not found. */
      'publicSince[lte]'?: string | undefined;
      /** Only records whose `publicSince` is earlier than this. Records without the value are not found. */
      'publicSince[lt]'?: string | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: KnowledgeFileList;
    selection: Omit<KnowledgeFileList, 'items'> & { items: readonly Selection<KnowledgeFile>[] };
  };
  /** Create a knowledge file. */
  createKnowledgeFile: {
    path: null;
    query: null;
    body: KnowledgeFileCreate;
    result: KnowledgeFile;
    selection: null;
  };
  /** Read a knowledge file. */
  getKnowledgeFile: {
    path: {
      /** Id of the knowledge file. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: KnowledgeFile;
    selection: Selection<KnowledgeFile>;
  };
  /** Change a knowledge file. */
  updateKnowledgeFile: {
    path: {
      /** Id of the knowledge file. */
      id: string;
    };
    query: null;
    body: KnowledgeFilePatch;
    result: KnowledgeFile;
    selection: null;
  };
  /** Delete a knowledge file. */
  deleteKnowledgeFile: {
    path: {
      /** Id of the knowledge file. */
      id: string;
    };
    query: {
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in its history, in stored responses or in events. */
      erase?: boolean | undefined;
    };
    body: null;
    result: null;
    selection: null;
  };
  /** Search knowledge files. */
  searchKnowledgeFiles: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: KnowledgeFileSearchResults;
    selection: null;
  };
  /** Upload the content of a knowledge file. */
  putKnowledgeFileContent: {
    path: {
      /** Id of the knowledge file. */
      id: string;
    };
    query: {
      /** Name of the file, offered when it is downloaded. */
      fileName?: string | undefined;
    };
    body: Content;
    result: KnowledgeFile;
    selection: null;
  };
  /** Download the content of a knowledge file. */
  getKnowledgeFileContent: {
    path: {
      /** Id of the knowledge file. */
      id: string;
    };
    query: null;
    body: null;
    result: ReadableStream<Uint8Array>;
    selection: null;
  };
  /** Load a thumbnail of a picture. */
  getKnowledgeFileThumbnail: {
    path: {
      /** Id of the knowledge file. */
      id: string;
    };
    query: null;
    body: null;
    result: ReadableStream<Uint8Array>;
    selection: null;
  };
  /** Read where a knowledge file is used. */
  getKnowledgeFileUsage: {
    path: {
      /** Id of the knowledge file. */
      id: string;
    };
    query: null;
    body: null;
    result: Usage;
    selection: null;
  };
  /** Extract the text of a knowledge file again. */
  extractKnowledgeFileText: {
    path: {
      /** Id of the knowledge file. */
      id: string;
    };
    query: null;
    body: null;
    result: KnowledgeFile;
    selection: null;
  };
  /** Make a picture public. */
  publishKnowledgeFilePicture: {
    path: {
      /** Id of the knowledge file. */
      id: string;
    };
    query: null;
    body: null;
    result: KnowledgeFile;
    selection: null;
  };
  /** Take a public picture back. */
  unpublishKnowledgeFilePicture: {
    path: {
      /** Id of the knowledge file. */
      id: string;
    };
    query: null;
    body: null;
    result: KnowledgeFile;
    selection: null;
  };
  /** Write several knowledge files at once. */
  batchKnowledgeFiles: {
    path: null;
    query: null;
    body: BatchCreate;
    result: BatchOutcomes;
    selection: null;
  };
  /** Count knowledge files. */
  countKnowledgeFiles: {
    path: null;
    query: {
      /** The filter whose values are counted: `status` or `visibility`. */
      by: 'status' | 'visibility';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, `$name`, only words match. */
      search?: string | undefined;
      /** Status of the content. */
      status?: readonly ('PENDING_UPLOAD' | 'PROCESSING' | 'READY' | 'NOT_APPLICABLE' | 'FAILED')[] | undefined;
      /** Who may see it. */
      visibility?: readonly ('PRIVATE' | 'RESTRICTED' | 'ORGANIZATION')[] | undefined;
      /** Only pictures (JPEG, PNG, WebP, GIF, AVIF, TIFF), or only other files. */
      picture?: boolean | undefined;
      /** Files that this member owns. */
      ownerUserId?: readonly string[] | undefined;
      /** Files with this label. */
      tag?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `name` contains this text. Case and accents are ignored. */
      'name[contains]'?: string | undefined;
      /** Only records that have a value in `description`, or only those that have none. */
      'description[exists]'?: boolean | undefined;
      /** Only records whose `description` contains this text. Case and accents are ignored. */
      'description[contains]'?: string | undefined;
      /** Only records that have an item in `tags`, or only those that have none. */
      'tags[exists]'?: boolean | undefined;
      /** Only records with this `language`. */
      language?: readonly string[] | undefined;
      /** Only records that have a value in `language`, or only those that have none. */
      'language[exists]'?: boolean | undefined;
      /** Only records that have a value in `sourceUrl`, or only those that have none. */
      'sourceUrl[exists]'?: boolean | undefined;
      /** Only records whose `sourceUrl` contains this text. Case and accents are ignored. */
      'sourceUrl[contains]'?: string | undefined;
      /** Only records that have a value in `expiresAt`, or only those that have none. */
      'expiresAt[exists]'?: boolean | undefined;
      /** Only records whose `expiresAt` is this or later. Records without the value are not found. */
      'expiresAt[gte]'?: string | undefined;
      /** Only records whose `expiresAt` is later than this. Records without the value are not found. */
      'expiresAt[gt]'?: string | undefined;
      /** Only records whose `expiresAt` is this or earlier. Records without the value are not found. */
      'expiresAt[lte]'?: string | undefined;
      /** Only records whose `expiresAt` is earlier than this. Records without the value are not found. */
      'expiresAt[lt]'?: string | undefined;
      /** Only records that have an item in `allowedUserIds`, or only those that have none. */
      'allowedUserIds[exists]'?: boolean | undefined;
      /** Only records that have an item in `allowedRoles`, or only those that have none. */
      'allowedRoles[exists]'?: boolean | undefined;
      /** Only records that have a value in `alternativeText`, or only those that have none. */
      'alternativeText[exists]'?: boolean | undefined;
      /** Only records whose `alternativeText` contains this text. Case and accents are ignored. */
      'alternativeText[contains]'?: string | undefined;
      /** Only records that have a value in `focalPoint`, or only those that have none. */
      'focalPoint[exists]'?: boolean | undefined;
      /** Only records that have a value in `sizeBytes`, or only those that have none. */
      'sizeBytes[exists]'?: boolean | undefined;
      /** Only records whose `sizeBytes` is at least this. Records without the value are not found. */
      'sizeBytes[gte]'?: number | undefined;
      /** Only records whose `sizeBytes` is greater than this. Records without the value are not found. */
      'sizeBytes[gt]'?: number | undefined;
      /** Only records whose `sizeBytes` is at most this. Records without the value are not found. */
      'sizeBytes[lte]'?: number | undefined;
      /** Only records whose `sizeBytes` is less than this. Records without the value are not found. */
      'sizeBytes[lt]'?: number | undefined;
      /** Only records that have a value in `pageCount`, or only those that have none. */
      'pageCount[exists]'?: boolean | undefined;
      /** Only records whose `pageCount` is at least this. Records without the value are not found. */
      'pageCount[gte]'?: number | undefined;
      /** Only records whose `pageCount` is greater than this. Records without the value are not found. */
      'pageCount[gt]'?: number | undefined;
      /** Only records whose `pageCount` is at most this. Records without the value are not found. */
      'pageCount[lte]'?: number | undefined;
      /** Only records whose `pageCount` is less than this. Records without the value are not found. */
      'pageCount[lt]'?: number | undefined;
      /** Only records that have a value in `extractedCharacters`, or only those that have none. */
      'extractedCharacters[exists]'?: boolean | undefined;
      /** Only records whose `extractedCharacters` is at least this. Records without the value are not found. */
      'extractedCharacters[gte]'?: number | undefined;
      /** Only records whose `extractedCharacters` is greater than this. Records without the value are not found. */
      'extractedCharacters[gt]'?: number | undefined;
      /** Only records whose `extractedCharacters` is at most this. Records without the value are not found. */
      'extractedCharacters[lte]'?: number | undefined;
      /** Only records whose `extractedCharacters` is less than this. Records without the value are not found. */
      'extractedCharacters[lt]'?: number | undefined;
      /** Only records that have a value in `width`, or only those that have none. */
      'width[exists]'?: boolean | undefined;
      /** Only records whose `width` is at least this. Records without the value are not found. */
      'width[gte]'?: number | undefined;
      /** Only records whose `width` is greater than this. Records without the value are not found. */
      'width[gt]'?: number | undefined;
      /** Only records whose `width` is at most this. Records without the value are not found. */
      'width[lte]'?: number | undefined;
      /** Only records whose `width` is less than this. Records without the value are not found. */
      'width[lt]'?: number | undefined;
      /** Only records that have a value in `height`, or only those that have none. */
      'height[exists]'?: boolean | undefined;
      /** Only records whose `height` is at least this. Records without the value are not found. */
      'height[gte]'?: number | undefined;
      /** Only records whose `height` is greater than this. Records without the value are not found. */
      'height[gt]'?: number | undefined;
      /** Only records whose `height` is at most this. Records without the value are not found. */
      'height[lte]'?: number | undefined;
      /** Only records whose `height` is less than this. Records without the value are not found. */
      'height[lt]'?: number | undefined;
      /** Only records that have a value in `publicSince`, or only those that have none. */
      'publicSince[exists]'?: boolean | undefined;
      /** Only records whose `publicSince` is this or later. Records without the value are not found. */
      'publicSince[gte]'?: string | undefined;
      /** Only records whose `publicSince` is later than this. Records without the value are not found. */
      'publicSince[gt]'?: string | undefined;
      /** Only records whose `publicSince` is this or earlier. Records without the value are not found. */
      'publicSince[lte]'?: string | undefined;
      /** Only records whose `publicSince` is earlier than this. Records without the value are not found. */
      'publicSince[lt]'?: string | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
    };
    body: null;
    result: Counts;
    selection: null;
  };
  /** List the changes of one knowledge file. */
  listKnowledgeFileHistory: {
    path: {
      /** Id of the knowledge file. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one knowledge file as of a version. */
  getKnowledgeFileAsOf: {
    path: {
      /** Id of the knowledge file. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: KnowledgeFile;
    selection: null;
  };
  /** List articles. */
  listArticles: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, `$name`, only words match. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no article that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'title' | '-title' | '-firstPublishedAt' | 'firstPublishedAt' | undefined;
      /** Status of the working version. */
      status?: readonly ('DRAFT' | 'IN_REVIEW' | 'APPROVED' | 'SCHEDULED' | 'PUBLISHED' | 'UNPUBLISHED' | 'SUPERSEDED' | 'ARCHIVED')[] | undefined;
      /** Derived state. */
      state?: readonly ('UNPUBLISHED' | 'PUBLISHED' | 'CHANGED' | 'ARCHIVED')[] | undefined;
      /** Articles in this category. */
      categoryId?: readonly string[] | undefined;
      /** Articles with this tag. */
      tagId?: readonly string[] | undefined;
      /** The article with this slug. */
      slug?: string | undefined;
      /** Language of the working version. */
      locale?: readonly string[] | undefined;
      /** Only featured articles, or only others. */
      featured?: boolean | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records with this `allowComments`. */
      allowComments?: boolean | undefined;
      /** Only records that have an item in `categoryIds`, or only those that have none. */
      'categoryIds[exists]'?: boolean | undefined;
      /** Only records with this `primaryCategoryId`. */
      primaryCategoryId?: readonly string[] | undefined;
      /** Only records that have a value in `primaryCategoryId`, or only those that have none. */
      'primaryCategoryId[exists]'?: boolean | undefined;
      /** Only records that have an item in `tagIds`, or only those that have none. */
      'tagIds[exists]'?: boolean | undefined;
      /** Only records that have an item in `authors`, or only those that have none. */
      'authors[exists]'?: boolean | undefined;
      /** Only records whose `slug` contains this text. Case and accents are ignored. */
      'slug[contains]'?: string | undefined;
      /** Only records that have a value in `firstPublishedAt`, or only those that have none. */
      'firstPublishedAt[exists]'?: boolean | undefined;
      /** Only records whose `firstPublishedAt` is this or later. Records without the value are not found. */
      'firstPublishedAt[gte]'?: string | undefined;
      /** Only records whose `firstPublishedAt` is later than this. Records without the value are not found. */
      'firstPublishedAt[gt]'?: string | undefined;
      /** Only records whose `firstPublishedAt` is this or earlier. Records without the value are not found. */
      'firstPublishedAt[lte]'?: string | undefined;
      /** Only records whose `firstPublishedAt` is earlier than this. Records without the value are not found. */
      'firstPublishedAt[lt]'?: string | undefined;
      /** Only records that have a value in `canonicalUrl`, or only those that have none. */
      'canonicalUrl[exists]'?: boolean | undefined;
      /** Only records whose `canonicalUrl` contains this text. Case and accents are ignored. */
      'canonicalUrl[contains]'?: string | undefined;
      /** Only records whose `title` contains this text. Case and accents are ignored. */
      'title[contains]'?: string | undefined;
      /** Only records that have a value in `subtitle`, or only those that have none. */
      'subtitle[exists]'?: boolean | undefined;
      /** Only records whose `subtitle` contains this text. Case and accents are ignored. */
      'subtitle[contains]'?: string | undefined;
      /** Only records that have a value in `summary`, or only those that have none. */
      'summary[exists]'?: boolean | undefined;
      /** Only records whose `summary` contains this text. Case and accents are ignored. */
      'summary[contains]'?: string | undefined;
      /** Only records that have a value in `body`, or only those that have none. */
      'body[exists]'?: boolean | undefined;
      /** Only records with this `bodyFormat`. */
      bodyFormat?: readonly ('MARKDOWN' | 'HTML')[] | undefined;
      /** Only records with this `coverFileId`. */
      coverFileId?: readonly string[] | undefined;
      /** Only records that have a value in `coverFileId`, or only those that have none. */
      'coverFileId[exists]'?: boolean | undefined;
      /** Only records that have a value in `seo`, or only those that have none. */
      'seo[exists]'?: boolean | undefined;
      /** Only records that have a value in `changeNote`, or only those that have none. */
      'changeNote[exists]'?: boolean | undefined;
      /** Only records whose `changeNote` contains this text. Case and accents are ignored. */
      'changeNote[contains]'?: string | undefined;
      /** Only records that have a value in `returnNote`, or only those that have none. */
      'returnNote[exists]'?: boolean | undefined;
      /** Only records whose `returnNote` contains this text. Case and accents are ignored. */
      'returnNote[contains]'?: string | undefined;
      /** Only records that have a value in `scheduledFor`, or only those that have none. */
      'scheduledFor[exists]'?: boolean | undefined;
      /** Only records whose `scheduledFor` is this or later. Records without the value are not found. */
      'scheduledFor[gte]'?: string | undefined;
      /** Only records whose `scheduledFor` is later than this. Records without the value are not found. */
      'scheduledFor[gt]'?: string | undefined;
      /** Only records whose `scheduledFor` is this or earlier. Records without the value are not found. */
      'scheduledFor[lte]'?: string | undefined;
      /** Only records whose `scheduledFor` is earlier than this. Records without the value are not found. */
      'scheduledFor[lt]'?: string | undefined;
      /** Only records that have a value in `unpublishAt`, or only those that have none. */
      'unpublishAt[exists]'?: boolean | undefined;
      /** Only records whose `unpublishAt` is this or later. Records without the value are not found. */
      'unpublishAt[gte]'?: string | undefined;
      /** Only records whose `unpublishAt` is later than this. Records without the value are not found. */
      'unpublishAt[gt]'?: string | undefined;
      /** Only records whose `unpublishAt` is this or earlier. Records without the value are not found. */
      'unpublishAt[lte]'?: string | undefined;
      /** Only records whose `unpublishAt` is earlier than this. Records without the value are not found. */
      'unpublishAt[lt]'?: string | undefined;
      /** Only records that have a value in `publishedAt`, or only those that have none. */
      'publishedAt[exists]'?: boolean | undefined;
      /** Only records whose `publishedAt` is this or later. Records without the value are not found. */
      'publishedAt[gte]'?: string | undefined;
      /** Only records whose `publishedAt` is later than this. Records without the value are not found. */
      'publishedAt[gt]'?: string | undefined;
      /** Only records whose `publishedAt` is this or earlier. Records without the value are not found. */
      'publishedAt[lte]'?: string | undefined;
      /** Only records whose `publishedAt` is earlier than this. Records without the value are not found. */
      'publishedAt[lt]'?: string | undefined;
      /** Only records that have a value in `submittedAt`, or only those that have none. */
      'submittedAt[exists]'?: boolean | undefined;
      /** Only records whose `submittedAt` is this or later. Records without the value are not found. */
      'submittedAt[gte]'?: string | undefined;
      /** Only records whose `submittedAt` is later than this. Records without the value are not found. */
      'submittedAt[gt]'?: string | undefined;
      /** Only records whose `submittedAt` is this or earlier. Records without the value are not found. */
      'submittedAt[lte]'?: string | undefined;
      /** Only records whose `submittedAt` is earlier than this. Records without the value are not found. */
      'submittedAt[lt]'?: string | undefined;
      /** Only records that have a value in `submittedBy`, or only those that have none. */
      'submittedBy[exists]'?: boolean | undefined;
      /** Only records that have a value in `returnedAt`, or only those that have none. */
      'returnedAt[exists]'?: boolean | undefined;
      /** Only records whose `returnedAt` is this or later. Records without the value are not found. */
      'returnedAt[gte]'?: string | undefined;
      /** Only records whose `returnedAt` is later than this. Records without the value are not found. */
      'returnedAt[gt]'?: string | undefined;
      /** Only records whose `returnedAt` is this or earlier. Records without the value are not found. */
      'returnedAt[lte]'?: string | undefined;
      /** Only records whose `returnedAt` is earlier than this. Records without the value are not found. */
      'returnedAt[lt]'?: string | undefined;
      /** Only records that have a value in `returnedBy`, or only those that have none. */
      'returnedBy[exists]'?: boolean | undefined;
      /** Only records whose `wordCount` is at least this. */
      'wordCount[gte]'?: number | undefined;
      /** Only records whose `wordCount` is greater than this. */
      'wordCount[gt]'?: number | undefined;
      /** Only records whose `wordCount` is at most this. */
      'wordCount[lte]'?: number | undefined;
      /** Only records whose `wordCount` is less than this. */
      'wordCount[lt]'?: number | undefined;
      /** Only records that have a value in `publishedVersionNumber`, or only those that have none. */
      'publishedVersionNumber[exists]'?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
      /** Which versions to return: the working versions, or the published versions (only articles that have one). With `published`, filters, order and search use the published versions only, `state` is PUBLISHED, and `updatedAt` is when the published content last changed. */
      perspective?: 'working' | 'published' | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: sites, categories, tags and knowledge files. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly ('siteId' | 'categoryIds' | 'primaryCategoryId' | 'tagIds' | 'coverFileId')[] | undefined;
    };
    body: null;
    result: ArticleList;
    selection: Omit<ArticleList, 'items'> & { items: readonly Selection<Article>[] };
  };
  /** Create an article. */
  createArticle: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: null;
    body: ArticleCreate;
    result: Article;
    selection: null;
  };
  /** Create or change an article. */
  upsertArticle: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: {
      /** The value by which an article is found: `externalId`. The body has to contain it. Several values in a list match the record that has any of them; if they belong to different records, the response is 409 `ambiguous_match`. */
      matching: 'externalId';
    };
    body: ArticlePatch;
    result: Article;
    selection: null;
  };
  /** Read an article. */
  getArticle: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the article. */
      id: string;
    };
    query: {
      /** Which versions to return: the working versions, or the published versions (only articles that have one). With `published`, filters, order and search use the published versions only, `state` is PUBLISHED, and `updatedAt` is when the published content last changed. */
      perspective?: 'working' | 'published' | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: sites, categories, tags and knowledge files. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly ('siteId' | 'categoryIds' | 'primaryCategoryId' | 'tagIds' | 'coverFileId')[] | undefined;
    };
    body: null;
    result: Article;
    selection: Selection<Article>;
  };
  /** Change an article. */
  updateArticle: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the article. */
      id: string;
    };
    query: null;
    body: ArticlePatch;
    result: Article;
    selection: null;
  };
  /** Delete an article. */
  deleteArticle: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the article. */
      id: string;
    };
    query: {
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in its history, in stored responses or in events. */
      erase?: boolean | undefined;
    };
    body: null;
    result: null;
    selection: null;
  };
  /** Search articles. */
  searchArticles: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Which versions to return: the working versions, or the published versions (only articles that have one). With `published`, filters, order and search use the published versions only, `state` is PUBLISHED, and `updatedAt` is when the published content last changed. */
      perspective?: 'working' | 'published' | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: sites, categories, tags and knowledge files. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly ('siteId' | 'categoryIds' | 'primaryCategoryId' | 'tagIds' | 'coverFileId')[] | undefined;
    };
    body: null;
    result: ArticleSearchResults;
    selection: null;
  };
  /** Read where an article is used. */
  getArticleUsage: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the article. */
      id: string;
    };
    query: null;
    body: null;
    result: Usage;
    selection: null;
  };
  /** List versions of an article. */
  listArticleVersions: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the article. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: ArticleVersionList;
    selection: null;
  };
  /** Read a version of an article. */
  getArticleVersion: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the article. */
      id: string;
      /** Number of the version, from 1. */
      number: number;
    };
    query: null;
    body: null;
    result: ArticleVersion;
    selection: null;
  };
  /** Compare two versions of an article. */
  compareArticleVersions: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the article. */
      id: string;
      /** Number of the version, from 1. */
      number: number;
    };
    query: {
      /** Number of the other version. */
      against: number;
    };
    body: null;
    result: ArticleVersionDifference;
    selection: null;
  };
  /** Restore a version of an article. */
  restoreArticleVersion: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the article. */
      id: string;
      /** Number of the version, from 1. */
      number: number;
    };
    query: null;
    body: null;
    result: Article;
    selection: null;
  };
  /** Write several articles at once. */
  batchArticles: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: null;
    body: BatchCreate;
    result: BatchOutcomes;
    selection: null;
  };
  /** Count articles. */
  countArticles: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: {
      /** The filter whose values are counted: `status`, `state` or `bodyFormat`. */
      by: 'status' | 'state' | 'bodyFormat';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, `$name`, only words match. */
      search?: string | undefined;
      /** Status of the working version. */
      status?: readonly ('DRAFT' | 'IN_REVIEW' | 'APPROVED' | 'SCHEDULED' | 'PUBLISHED' | 'UNPUBLISHED' | 'SUPERSEDED' | 'ARCHIVED')[] | undefined;
      /** Derived state. */
      state?: readonly ('UNPUBLISHED' | 'PUBLISHED' | 'CHANGED' | 'ARCHIVED')[] | undefined;
      /** Articles in this category. */
      categoryId?: readonly string[] | undefined;
      /** Articles with this tag. */
      tagId?: readonly string[] | undefined;
      /** The article with this slug. */
      slug?: string | undefined;
      /** Language of the working version. */
      locale?: readonly string[] | undefined;
      /** Only featured articles, or only others. */
      featured?: boolean | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records with this `allowComments`. */
      allowComments?: boolean | undefined;
      /** Only records that have an item in `categoryIds`, or only those that have none. */
      'categoryIds[exists]'?: boolean | undefined;
      /** Only records with this `primaryCategoryId`. */
      primaryCategoryId?: readonly string[] | undefined;
      /** Only records that have a value in `primaryCategoryId`, or only those that have none. */
      'primaryCategoryId[exists]'?: boolean | undefined;
      /** Only records that have an item in `tagIds`, or only those that have none. */
      'tagIds[exists]'?: boolean | undefined;
      /** Only records that have an item in `authors`, or only those that have none. */
      'authors[exists]'?: boolean | undefined;
      /** Only records whose `slug` contains this text. Case and accents are ignored. */
      'slug[contains]'?: string | undefined;
      /** Only records that have a value in `firstPublishedAt`, or only those that have none. */
      'firstPublishedAt[exists]'?: boolean | undefined;
      /** Only records whose `firstPublishedAt` is this or later. Records without the value are not found. */
      'firstPublishedAt[gte]'?: string | undefined;
      /** Only records whose `firstPublishedAt` is later than this. Records without the value are not found. */
      'firstPublishedAt[gt]'?: string | undefined;
      /** Only records whose `firstPublishedAt` is this or earlier. Records without the value are not found. */
      'firstPublishedAt[lte]'?: string | undefined;
      /** Only records whose `firstPublishedAt` is earlier than this. Records without the value are not found. */
      'firstPublishedAt[lt]'?: string | undefined;
      /** Only records that have a value in `canonicalUrl`, or only those that have none. */
      'canonicalUrl[exists]'?: boolean | undefined;
      /** Only records whose `canonicalUrl` contains this text. Case and accents are ignored. */
      'canonicalUrl[contains]'?: string | undefined;
      /** Only records whose `title` contains this text. Case and accents are ignored. */
      'title[contains]'?: string | undefined;
      /** Only records that have a value in `subtitle`, or only those that have none. */
      'subtitle[exists]'?: boolean | undefined;
      /** Only records whose `subtitle` contains this text. Case and accents are ignored. */
      'subtitle[contains]'?: string | undefined;
      /** Only records that have a value in `summary`, or only those that have none. */
      'summary[exists]'?: boolean | undefined;
      /** Only records whose `summary` contains this text. Case and accents are ignored. */
      'summary[contains]'?: string | undefined;
      /** Only records that have a value in `body`, or only those that have none. */
      'body[exists]'?: boolean | undefined;
      /** Only records with this `bodyFormat`. */
      bodyFormat?: readonly ('MARKDOWN' | 'HTML')[] | undefined;
      /** Only records with this `coverFileId`. */
      coverFileId?: readonly string[] | undefined;
      /** Only records that have a value in `coverFileId`, or only those that have none. */
      'coverFileId[exists]'?: boolean | undefined;
      /** Only records that have a value in `seo`, or only those that have none. */
      'seo[exists]'?: boolean | undefined;
      /** Only records that have a value in `changeNote`, or only those that have none. */
      'changeNote[exists]'?: boolean | undefined;
      /** Only records whose `changeNote` contains this text. Case and accents are ignored. */
      'changeNote[contains]'?: string | undefined;
      /** Only records that have a value in `returnNote`, or only those that have none. */
      'returnNote[exists]'?: boolean | undefined;
      /** Only records whose `returnNote` contains this text. Case and accents are ignored. */
      'returnNote[contains]'?: string | undefined;
      /** Only records that have a value in `scheduledFor`, or only those that have none. */
      'scheduledFor[exists]'?: boolean | undefined;
      /** Only records whose `scheduledFor` is this or later. Records without the value are not found. */
      'scheduledFor[gte]'?: string | undefined;
      /** Only records whose `scheduledFor` is later than this. Records without the value are not found. */
      'scheduledFor[gt]'?: string | undefined;
      /** Only records whose `scheduledFor` is this or earlier. Records without the value are not found. */
      'scheduledFor[lte]'?: string | undefined;
      /** Only records whose `scheduledFor` is earlier than this. Records without the value are not found. */
      'scheduledFor[lt]'?: string | undefined;
      /** Only records that have a value in `unpublishAt`, or only those that have none. */
      'unpublishAt[exists]'?: boolean | undefined;
      /** Only records whose `unpublishAt` is this or later. Records without the value are not found. */
      'unpublishAt[gte]'?: string | undefined;
      /** Only records whose `unpublishAt` is later than this. Records without the value are not found. */
      'unpublishAt[gt]'?: string | undefined;
      /** Only records whose `unpublishAt` is this or earlier. Records without the value are not found. */
      'unpublishAt[lte]'?: string | undefined;
      /** Only records whose `unpublishAt` is earlier than this. Records without the value are not found. */
      'unpublishAt[lt]'?: string | undefined;
      /** Only records that have a value in `publishedAt`, or only those that have none. */
      'publishedAt[exists]'?: boolean | undefined;
      /** Only records whose `publishedAt` is this or later. Records without the value are not found. */
      'publishedAt[gte]'?: string | undefined;
      /** Only records whose `publishedAt` is later than this. Records without the value are not found. */
      'publishedAt[gt]'?: string | undefined;
      /** Only records whose `publishedAt` is this or earlier. Records without the value are not found. */
      'publishedAt[lte]'?: string | undefined;
      /** Only records whose `publishedAt` is earlier than this. Records without the value are not found. */
      'publishedAt[lt]'?: string | undefined;
      /** Only records that have a value in `submittedAt`, or only those that have none. */
      'submittedAt[exists]'?: boolean | undefined;
      /** Only records whose `submittedAt` is this or later. Records without the value are not found. */
      'submittedAt[gte]'?: string | undefined;
      /** Only records whose `submittedAt` is later than this. Records without the value are not found. */
      'submittedAt[gt]'?: string | undefined;
      /** Only records whose `submittedAt` is this or earlier. Records without the value are not found. */
      'submittedAt[lte]'?: string | undefined;
      /** Only records whose `submittedAt` is earlier than this. Records without the value are not found. */
      'submittedAt[lt]'?: string | undefined;
      /** Only records that have a value in `submittedBy`, or only those that have none. */
      'submittedBy[exists]'?: boolean | undefined;
      /** Only records that have a value in `returnedAt`, or only those that have none. */
      'returnedAt[exists]'?: boolean | undefined;
      /** Only records whose `returnedAt` is this or later. Records without the value are not found. */
      'returnedAt[gte]'?: string | undefined;
      /** Only records whose `returnedAt` is later than this. Records without the value are not found. */
      'returnedAt[gt]'?: string | undefined;
      /** Only records whose `returnedAt` is this or earlier. Records without the value are not found. */
      'returnedAt[lte]'?: string | undefined;
      /** Only records whose `returnedAt` is earlier than this. Records without the value are not found. */
      'returnedAt[lt]'?: string | undefined;
      /** Only records that have a value in `returnedBy`, or only those that have none. */
      'returnedBy[exists]'?: boolean | undefined;
      /** Only records whose `wordCount` is at least this. */
      'wordCount[gte]'?: number | undefined;
      /** Only records whose `wordCount` is greater than this. */
      'wordCount[gt]'?: number | undefined;
      /** Only records whose `wordCount` is at most this. */
      'wordCount[lte]'?: number | undefined;
      /** Only records whose `wordCount` is less than this. */
      'wordCount[lt]'?: number | undefined;
      /** Only records that have a value in `publishedVersionNumber`, or only those that have none. */
      'publishedVersionNumber[exists]'?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
    };
    body: null;
    result: Counts;
    selection: null;
  };
  /** List the changes of one article. */
  listArticleHistory: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the article. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one article as of a version. */
  getArticleAsOf: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
      /** Id of the article. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: Article;
    selection: null;
  };
  /** List books. */
  listBooks: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, only words match. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no book that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'title' | '-title' | '-pageCount' | 'pageCount' | '-publisher' | 'publisher' | '-imprint' | 'imprint' | '-publicationDate' | 'publicationDate' | undefined;
      /** Status in the catalogue. */
      status?: readonly ('DRAFT' | 'PUBLISHED' | 'UNPUBLISHED' | 'ARCHIVED')[] | undefined;
      /** Whether it can be bought. */
      tradeStatus?: readonly ('FORTHCOMING' | 'POSTPONED' | 'ACTIVE' | 'OUT_OF_STOCK' | 'OUT_OF_PRINT' | 'WITHDRAWN' | 'CANCELLED')[] | undefined;
      /** Language. */
      language?: readonly string[] | undefined;
      /** The book with this ISBN; hyphens are accepted. */
      isbn13?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `title` contains this text. Case and accents are ignored. */
      'title[contains]'?: string | undefined;
      /** Only records that have a value in `subtitle`, or only those that have none. */
      'subtitle[exists]'?: boolean | undefined;
      /** Only records whose `subtitle` contains this text. Case and accents are ignored. */
      'subtitle[contains]'?: string | undefined;
      /** Only records that have a value in `description`, or only those that have none. */
      'description[exists]'?: boolean | undefined;
      /** Only records that have a value in `language`, or only those that have none. */
      'language[exists]'?: boolean | undefined;
      /** Only records that have an item in `contributors`, or only those that have none. */
      'contributors[exists]'?: boolean | undefined;
      /** Only records that have a value in `isbn13`, or only those that have none. */
      'isbn13[exists]'?: boolean | undefined;
      /** Only records that have a value in `doi`, or only those that have none. */
      'doi[exists]'?: boolean | undefined;
      /** Only records that have a value in `edition`, or only those that have none. */
      'edition[exists]'?: boolean | undefined;
      /** Only records whose `edition` contains this text. Case and accents are ignored. */
      'edition[contains]'?: string | undefined;
      /** Only records that have a value in `seriesTitle`, or only those that have none. */
      'seriesTitle[exists]'?: boolean | undefined;
      /** Only records whose `seriesTitle` contains this text. Case and accents are ignored. */
      'seriesTitle[contains]'?: string | undefined;
      /** Only records that have a value in `seriesPosition`, or only those that have none. */
      'seriesPosition[exists]'?: boolean | undefined;
      /** Only records whose `seriesPosition` contains this text. Case and accents are ignored. */
      'seriesPosition[contains]'?: string | undefined;
      /** Only records with this `format`. */
      format?: readonly ('HARDCOVER' | 'PAPERBACK' | 'EBOOK' | 'AUDIOBOOK')[] | undefined;
      /** Only records that have a value in `format`, or only those that have none. */
      'format[exists]'?: boolean | undefined;
      /** Only records that have a value in `pageCount`, or only those that have none. */
      'pageCount[exists]'?: boolean | undefined;
      /** Only records whose `pageCount` is at least this. Records without the value are not found. */
      'pageCount[gte]'?: number | undefined;
      /** Only records whose `pageCount` is greater than this. Records without the value are not found. */
      'pageCount[gt]'?: number | undefined;
      /** Only records whose `pageCount` is at most this. Records without the value are not found. */
      'pageCount[lte]'?: number | undefined;
      /** Only records whose `pageCount` is less than this. Records without the value are not found. */
      'pageCount[lt]'?: number | undefined;
      /** Only records that have a value in `publisher`, or only those that have none. */
      'publisher[exists]'?: boolean | undefined;
      /** Only records whose `publisher` contains this text. Case and accents are ignored. */
      'publisher[contains]'?: string | undefined;
      /** Only records that have a value in `imprint`, or only those that have none. */
      'imprint[exists]'?: boolean | undefined;
      /** Only records whose `imprint` contains this text. Case and accents are ignored. */
      'imprint[contains]'?: string | undefined;
      /** Only records that have a value in `publicationDate`, or only those that have none. */
      'publicationDate[exists]'?: boolean | undefined;
      /** Only records whose `publicationDate` is this or later. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[gte]'?: string | undefined;
      /** Only records whose `publicationDate` is later than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[gt]'?: string | undefined;
      /** Only records whose `publicationDate` is this or earlier. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[lte]'?: string | undefined;
      /** Only records whose `publicationDate` is earlier than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[lt]'?: string | undefined;
      /** Only records that have an item in `subjects`, or only those that have none. */
      'subjects[exists]'?: boolean | undefined;
      /** Only records that have an item in `prices`, or only those that have none. */
      'prices[exists]'?: boolean | undefined;
      /** Only records with this `coverFileId`. */
      coverFileId?: readonly string[] | undefined;
      /** Only records that have a value in `coverFileId`, or only those that have none. */
      'coverFileId[exists]'?: boolean | undefined;
      /** Only records that have an item in `fileIds`, or only those that have none. */
      'fileIds[exists]'?: boolean | undefined;
      /** Only records that have a value in `tradeStatus`, or only those that have none. */
      'tradeStatus[exists]'?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: knowledge files. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly ('coverFileId' | 'fileIds')[] | undefined;
    };
    body: null;
    result: BookList;
    selection: Omit<BookList, 'items'> & { items: readonly Selection<Book>[] };
  };
  /** Create a book. */
  createBook: {
    path: null;
    query: null;
    body: BookCreate;
    result: Book;
    selection: null;
  };
  /** Create or change a book. */
  upsertBook: {
    path: null;
    query: {
      /** The value by which a book is found: `externalId` or `isbn13`. The body has to contain it. Several values in a list match the record that has any of them; if they belong to different records, the response is 409 `ambiguous_match`. */
      matching: 'externalId' | 'isbn13';
    };
    body: BookPatch;
    result: Book;
    selection: null;
  };
  /** Read a book. */
  getBook: {
    path: {
      /** Id of the book. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: knowledge files. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly ('coverFileId' | 'fileIds')[] | undefined;
    };
    body: null;
    result: Book;
    selection: Selection<Book>;
  };
  /** Change a book. */
  updateBook: {
    path: {
      /** Id of the book. */
      id: string;
    };
    query: null;
    body: BookPatch;
    result: Book;
    selection: null;
  };
  /** Delete a book. */
  deleteBook: {
    path: {
      /** Id of the book. */
      id: string;
    };
    query: {
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in its history, in stored responses or in events. */
      erase?: boolean | undefined;
    };
    body: null;
    result: null;
    selection: null;
  };
  /** Search books. */
  searchBooks: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: knowledge files. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly ('coverFileId' | 'fileIds')[] | undefined;
    };
    body: null;
    result: BookSearchResults;
    selection: null;
  };
  /** Write several books at once. */
  batchBooks: {
    path: null;
    query: null;
    body: BatchCreate;
    result: BatchOutcomes;
    selection: null;
  };
  /** Count books. */
  countBooks: {
    path: null;
    query: {
      /** The filter whose values are counted: `status`, `tradeStatus` or `format`. */
      by: 'status' | 'tradeStatus' | 'format';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, only words match. */
      search?: string | undefined;
      /** Status in the catalogue. */
      status?: readonly ('DRAFT' | 'PUBLISHED' | 'UNPUBLISHED' | 'ARCHIVED')[] | undefined;
      /** Whether it can be bought. */
      tradeStatus?: readonly ('FORTHCOMING' | 'POSTPONED' | 'ACTIVE' | 'OUT_OF_STOCK' | 'OUT_OF_PRINT' | 'WITHDRAWN' | 'CANCELLED')[] | undefined;
      /** Language. */
      language?: readonly string[] | undefined;
      /** The book with this ISBN; hyphens are accepted. */
      isbn13?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `title` contains this text. Case and accents are ignored. */
      'title[contains]'?: string | undefined;
      /** Only records that have a value in `subtitle`, or only those that have none. */
      'subtitle[exists]'?: boolean | undefined;
      /** Only records whose `subtitle` contains this text. Case and accents are ignored. */
      'subtitle[contains]'?: string | undefined;
      /** Only records that have a value in `description`, or only those that have none. */
      'description[exists]'?: boolean | undefined;
      /** Only records that have a value in `language`, or only those that have none. */
      'language[exists]'?: boolean | undefined;
      /** Only records that have an item in `contributors`, or only those that have none. */
      'contributors[exists]'?: boolean | undefined;
      /** Only records that have a value in `isbn13`, or only those that have none. */
      'isbn13[exists]'?: boolean | undefined;
      /** Only records that have a value in `doi`, or only those that have none. */
      'doi[exists]'?: boolean | undefined;
      /** Only records that have a value in `edition`, or only those that have none. */
      'edition[exists]'?: boolean | undefined;
      /** Only records whose `edition` contains this text. Case and accents are ignored. */
      'edition[contains]'?: string | undefined;
      /** Only records that have a value in `seriesTitle`, or only those that have none. */
      'seriesTitle[exists]'?: boolean | undefined;
      /** Only records whose `seriesTitle` contains this text. Case and accents are ignored. */
      'seriesTitle[contains]'?: string | undefined;
      /** Only records that have a value in `seriesPosition`, or only those that have none. */
      'seriesPosition[exists]'?: boolean | undefined;
      /** Only records whose `seriesPosition` contains this text. Case and accents are ignored. */
      'seriesPosition[contains]'?: string | undefined;
      /** Only records with this `format`. */
      format?: readonly ('HARDCOVER' | 'PAPERBACK' | 'EBOOK' | 'AUDIOBOOK')[] | undefined;
      /** Only records that have a value in `format`, or only those that have none. */
      'format[exists]'?: boolean | undefined;
      /** Only records that have a value in `pageCount`, or only those that have none. */
      'pageCount[exists]'?: boolean | undefined;
      /** Only records whose `pageCount` is at least this. Records without the value are not found. */
      'pageCount[gte]'?: number | undefined;
      /** Only records whose `pageCount` is greater than this. Records without the value are not found. */
      'pageCount[gt]'?: number | undefined;
      /** Only records whose `pageCount` is at most this. Records without the value are not found. */
      'pageCount[lte]'?: number | undefined;
      /** Only records whose `pageCount` is less than this. Records without the value are not found. */
      'pageCount[lt]'?: number | undefined;
      /** Only records that have a value in `publisher`, or only those that have none. */
      'publisher[exists]'?: boolean | undefined;
      /** Only records whose `publisher` contains this text. Case and accents are ignored. */
      'publisher[contains]'?: string | undefined;
      /** Only records that have a value in `imprint`, or only those that have none. */
      'imprint[exists]'?: boolean | undefined;
      /** Only records whose `imprint` contains this text. Case and accents are ignored. */
      'imprint[contains]'?: string | undefined;
      /** Only records that have a value in `publicationDate`, or only those that have none. */
      'publicationDate[exists]'?: boolean | undefined;
      /** Only records whose `publicationDate` is this or later. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[gte]'?: string | undefined;
      /** Only records whose `publicationDate` is later than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[gt]'?: string | undefined;
      /** Only records whose `publicationDate` is this or earlier. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[lte]'?: string | undefined;
      /** Only records whose `publicationDate` is earlier than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[lt]'?: string | undefined;
      /** Only records that have an item in `subjects`, or only those that have none. */
      'subjects[exists]'?: boolean | undefined;
      /** Only records that have an item in `prices`, or only those that have none. */
      'prices[exists]'?: boolean | undefined;
      /** Only records with this `coverFileId`. */
      coverFileId?: readonly string[] | undefined;
      /** Only records that have a value in `coverFileId`, or only those that have none. */
      'coverFileId[exists]'?: boolean | undefined;
      /** Only records that have an item in `fileIds`, or only those that have none. */
      'fileIds[exists]'?: boolean | undefined;
      /** Only records that have a value in `tradeStatus`, or only those that have none. */
      'tradeStatus[exists]'?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
    };
    body: null;
    result: Counts;
    selection: null;
  };
  /** List the changes of one book. */
  listBookHistory: {
    path: {
      /** Id of the book. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one book as of a version. */
  getBookAsOf: {
    path: {
      /** Id of the book. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: Book;
    selection: null;
  };
  /** List magazines. */
  listMagazines: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, only words match. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no magazine that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'title' | '-title' | '-publisher' | 'publisher' | '-startDate' | 'startDate' | '-endDate' | 'endDate' | undefined;
      /** Status of the publication. */
      status?: readonly ('PLANNED' | 'ACTIVE' | 'SUSPENDED' | 'CEASED')[] | undefined;
      /** Language. */
      language?: readonly string[] | undefined;
      /** The magazine with this ISSN, in print or online. */
      issn?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `title` contains this text. Case and accents are ignored. */
      'title[contains]'?: string | undefined;
      /** Only records that have a value in `abbreviatedTitle`, or only those that have none. */
      'abbreviatedTitle[exists]'?: boolean | undefined;
      /** Only records whose `abbreviatedTitle` contains this text. Case and accents are ignored. */
      'abbreviatedTitle[contains]'?: string | undefined;
      /** Only records that have a value in `description`, or only those that have none. */
      'description[exists]'?: boolean | undefined;
      /** Only records that have a value in `language`, or only those that have none. */
      'language[exists]'?: boolean | undefined;
      /** Only records that have a value in `publisher`, or only those that have none. */
      'publisher[exists]'?: boolean | undefined;
      /** Only records whose `publisher` contains this text. Case and accents are ignored. */
      'publisher[contains]'?: string | undefined;
      /** Only records that have a value in `websiteUrl`, or only those that have none. */
      'websiteUrl[exists]'?: boolean | undefined;
      /** Only records whose `websiteUrl` contains this text. Case and accents are ignored. */
      'websiteUrl[contains]'?: string | undefined;
      /** Only records with this `coverFileId`. */
      coverFileId?: readonly string[] | undefined;
      /** Only records that have a value in `coverFileId`, or only those that have none. */
      'coverFileId[exists]'?: boolean | undefined;
      /** Only records that have a value in `issnPrint`, or only those that have none. */
      'issnPrint[exists]'?: boolean | undefined;
      /** Only records that have a value in `issnOnline`, or only those that have none. */
      'issnOnline[exists]'?: boolean | undefined;
      /** Only records with this `frequency`. */
      frequency?: readonly ('DAILY' | 'SEMIWEEKLY' | 'WEEKLY' | 'BIWEEKLY' | 'SEMIMONTHLY' | 'MONTHLY' | 'BIMONTHLY' | 'QUARTERLY' | 'TRIANNUAL' | 'SEMIANNUAL' | 'ANNUAL' | 'IRREGULAR')[] | undefined;
      /** Only records that have a value in `frequency`, or only those that have none. */
      'frequency[exists]'?: boolean | undefined;
      /** Only records that have a value in `startDate`, or only those that have none. */
      'startDate[exists]'?: boolean | undefined;
      /** Only records whose `startDate` is this or later. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'startDate[gte]'?: string | undefined;
      /** Only records whose `startDate` is later than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'startDate[gt]'?: string | undefined;
      /** Only records whose `startDate` is this or earlier. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'startDate[lte]'?: string | undefined;
      /** Only records whose `startDate` is earlier than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'startDate[lt]'?: string | undefined;
      /** Only records that have a value in `endDate`, or only those that have none. */
      'endDate[exists]'?: boolean | undefined;
      /** Only records whose `endDate` is this or later. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'endDate[gte]'?: string | undefined;
      /** Only records whose `endDate` is later than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'endDate[gt]'?: string | undefined;
      /** Only records whose `endDate` is this or earlier. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'endDate[lte]'?: string | undefined;
      /** Only records whose `endDate` is earlier than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'endDate[lt]'?: string | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: knowledge files. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'coverFileId'[] | undefined;
    };
    body: null;
    result: MagazineList;
    selection: Omit<MagazineList, 'items'> & { items: readonly Selection<Magazine>[] };
  };
  /** Create a magazine. */
  createMagazine: {
    path: null;
    query: null;
    body: MagazineCreate;
    result: Magazine;
    selection: null;
  };
  /** Create or change a magazine. */
  upsertMagazine: {
    path: null;
    query: {
      /** The value by which a magazine is found: `externalId` or `issn`. The body has to contain it. Several values in a list match the record that has any of them; if they belong to different records, the response is 409 `ambiguous_match`. */
      matching: 'externalId' | 'issn';
    };
    body: MagazinePatch;
    result: Magazine;
    selection: null;
  };
  /** Read a magazine. */
  getMagazine: {
    path: {
      /** Id of the magazine. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: knowledge files. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'coverFileId'[] | undefined;
    };
    body: null;
    result: Magazine;
    selection: Selection<Magazine>;
  };
  /** Change a magazine. */
  updateMagazine: {
    path: {
      /** Id of the magazine. */
      id: string;
    };
    query: null;
    body: MagazinePatch;
    result: Magazine;
    selection: null;
  };
  /** Delete a magazine. */
  deleteMagazine: {
    path: {
      /** Id of the magazine. */
      id: string;
    };
    query: {
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in its history, in stored responses or in events. */
      erase?: boolean | undefined;
    };
    body: null;
    result: null;
    selection: null;
  };
  /** Search magazines. */
  searchMagazines: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: knowledge files. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'coverFileId'[] | undefined;
    };
    body: null;
    result: MagazineSearchResults;
    selection: null;
  };
  /** Write several magazines at once. */
  batchMagazines: {
    path: null;
    query: null;
    body: BatchCreate;
    result: BatchOutcomes;
    selection: null;
  };
  /** Count magazines. */
  countMagazines: {
    path: null;
    query: {
      /** The filter whose values are counted: `status` or `frequency`. */
      by: 'status' | 'frequency';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, only words match. */
      search?: string | undefined;
      /** Status of the publication. */
      status?: readonly ('PLANNED' | 'ACTIVE' | 'SUSPENDED' | 'CEASED')[] | undefined;
      /** Language. */
      language?: readonly string[] | undefined;
      /** The magazine with this ISSN, in print or online. */
      issn?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `title` contains this text. Case and accents are ignored. */
      'title[contains]'?: string | undefined;
      /** Only records that have a value in `abbreviatedTitle`, or only those that have none. */
      'abbreviatedTitle[exists]'?: boolean | undefined;
      /** Only records whose `abbreviatedTitle` contains this text. Case and accents are ignored. */
      'abbreviatedTitle[contains]'?: string | undefined;
      /** Only records that have a value in `description`, or only those that have none. */
      'description[exists]'?: boolean | undefined;
      /** Only records that have a value in `language`, or only those that have none. */
      'language[exists]'?: boolean | undefined;
      /** Only records that have a value in `publisher`, or only those that have none. */
      'publisher[exists]'?: boolean | undefined;
      /** Only records whose `publisher` contains this text. Case and accents are ignored. */
      'publisher[contains]'?: string | undefined;
      /** Only records that have a value in `websiteUrl`, or only those that have none. */
      'websiteUrl[exists]'?: boolean | undefined;
      /** Only records whose `websiteUrl` contains this text. Case and accents are ignored. */
      'websiteUrl[contains]'?: string | undefined;
      /** Only records with this `coverFileId`. */
      coverFileId?: readonly string[] | undefined;
      /** Only records that have a value in `coverFileId`, or only those that have none. */
      'coverFileId[exists]'?: boolean | undefined;
      /** Only records that have a value in `issnPrint`, or only those that have none. */
      'issnPrint[exists]'?: boolean | undefined;
      /** Only records that have a value in `issnOnline`, or only those that have none. */
      'issnOnline[exists]'?: boolean | undefined;
      /** Only records with this `frequency`. */
      frequency?: readonly ('DAILY' | 'SEMIWEEKLY' | 'WEEKLY' | 'BIWEEKLY' | 'SEMIMONTHLY' | 'MONTHLY' | 'BIMONTHLY' | 'QUARTERLY' | 'TRIANNUAL' | 'SEMIANNUAL' | 'ANNUAL' | 'IRREGULAR')[] | undefined;
      /** Only records that have a value in `frequency`, or only those that have none. */
      'frequency[exists]'?: boolean | undefined;
      /** Only records that have a value in `startDate`, or only those that have none. */
      'startDate[exists]'?: boolean | undefined;
      /** Only records whose `startDate` is this or later. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'startDate[gte]'?: string | undefined;
      /** Only records whose `startDate` is later than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'startDate[gt]'?: string | undefined;
      /** Only records whose `startDate` is this or earlier. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'startDate[lte]'?: string | undefined;
      /** Only records whose `startDate` is earlier than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'startDate[lt]'?: string | undefined;
      /** Only records that have a value in `endDate`, or only those that have none. */
      'endDate[exists]'?: boolean | undefined;
      /** Only records whose `endDate` is this or later. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'endDate[gte]'?: string | undefined;
      /** Only records whose `endDate` is later than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'endDate[gt]'?: string | undefined;
      /** Only records whose `endDate` is this or earlier. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'endDate[lte]'?: string | undefined;
      /** Only records whose `endDate` is earlier than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'endDate[lt]'?: string | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
    };
    body: null;
    result: Counts;
    selection: null;
  };
  /** List the changes of one magazine. */
  listMagazineHistory: {
    path: {
      /** Id of the magazine. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one magazine as of a version. */
  getMagazineAsOf: {
    path: {
      /** Id of the magazine. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: Magazine;
    selection: null;
  };
  /** List issues. */
  listIssues: {
    path: {
      /** Id of the magazine it belongs to. */
      magazineId: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no issue that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'title' | '-title' | '-year' | 'year' | '-publicationDate' | 'publicationDate' | '-pageCount' | 'pageCount' | '-openAccessDate' | 'openAccessDate' | undefined;
      /** Status. */
      status?: readonly ('PLANNED' | 'IN_PRODUCTION' | 'PUBLISHED' | 'ARCHIVED')[] | undefined;
      /** Year. */
      year?: number | undefined;
      /** Volume, as printed. */
      volume?: string | undefined;
      /** Issues that contain this article. */
      articleId?: readonly string[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records that have a value in `volume`, or only those that have none. */
      'volume[exists]'?: boolean | undefined;
      /** Only records whose `volume` contains this text. Case and accents are ignored. */
      'volume[contains]'?: string | undefined;
      /** Only records that have a value in `number`, or only those that have none. */
      'number[exists]'?: boolean | undefined;
      /** Only records whose `number` contains this text. Case and accents are ignored. */
      'number[contains]'?: string | undefined;
      /** Only records that have a value in `year`, or only those that have none. */
      'year[exists]'?: boolean | undefined;
      /** Only records whose `year` is at least this. Records without the value are not found. */
      'year[gte]'?: number | undefined;
      /** Only records whose `year` is greater than this. Records without the value are not found. */
      'year[gt]'?: number | undefined;
      /** Only records whose `year` is at most this. Records without the value are not found. */
      'year[lte]'?: number | undefined;
      /** Only records whose `year` is less than this. Records without the value are not found. */
      'year[lt]'?: number | undefined;
      /** Only records that have a value in `title`, or only those that have none. */
      'title[exists]'?: boolean | undefined;
      /** Only records whose `title` contains this text. Case and accents are ignored. */
      'title[contains]'?: string | undefined;
      /** Only records that have a value in `coverDate`, or only those that have none. */
      'coverDate[exists]'?: boolean | undefined;
      /** Only records whose `coverDate` contains this text. Case and accents are ignored. */
      'coverDate[contains]'?: string | undefined;
      /** Only records that have a value in `publicationDate`, or only those that have none. */
      'publicationDate[exists]'?: boolean | undefined;
      /** Only records whose `publicationDate` is this or later. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[gte]'?: string | undefined;
      /** Only records whose `publicationDate` is later than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[gt]'?: string | undefined;
      /** Only records whose `publicationDate` is this or earlier. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[lte]'?: string | undefined;
      /** Only records whose `publicationDate` is earlier than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[lt]'?: string | undefined;
      /** Only records that have a value in `pageCount`, or only those that have none. */
      'pageCount[exists]'?: boolean | undefined;
      /** Only records whose `pageCount` is at least this. Records without the value are not found. */
      'pageCount[gte]'?: number | undefined;
      /** Only records whose `pageCount` is greater than this. Records without the value are not found. */
      'pageCount[gt]'?: number | undefined;
      /** Only records whose `pageCount` is at most this. Records without the value are not found. */
      'pageCount[lte]'?: number | undefined;
      /** Only records whose `pageCount` is less than this. Records without the value are not found. */
      'pageCount[lt]'?: number | undefined;
      /** Only records that have a value in `doi`, or only those that have none. */
      'doi[exists]'?: boolean | undefined;
      /** Only records with this `coverFileId`. */
      coverFileId?: readonly string[] | undefined;
      /** Only records that have a value in `coverFileId`, or only those that have none. */
      'coverFileId[exists]'?: boolean | undefined;
      /** Only records that have an item in `fileIds`, or only those that have none. */
      'fileIds[exists]'?: boolean | undefined;
      /** Only records with this `accessStatus`. */
      accessStatus?: readonly ('OPEN' | 'SUBSCRIPTION')[] | undefined;
      /** Only records that have a value in `accessStatus`, or only those that have none. */
      'accessStatus[exists]'?: boolean | undefined;
      /** Only records that have a value in `openAccessDate`, or only those that have none. */
      'openAccessDate[exists]'?: boolean | undefined;
      /** Only records whose `openAccessDate` is this or later. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'openAccessDate[gte]'?: string | undefined;
      /** Only records whose `openAccessDate` is later than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'openAccessDate[gt]'?: string | undefined;
      /** Only records whose `openAccessDate` is this or earlier. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'openAccessDate[lte]'?: string | undefined;
      /** Only records whose `openAccessDate` is earlier than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'openAccessDate[lt]'?: string | undefined;
      /** Only records that have an item in `contents`, or only those that have none. */
      'contents[exists]'?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: magazines, knowledge files and articles. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly ('magazineId' | 'coverFileId' | 'fileIds' | 'articleId')[] | undefined;
    };
    body: null;
    result: IssueList;
    selection: Omit<IssueList, 'items'> & { items: readonly Selection<Issue>[] };
  };
  /** Create an issue. */
  createIssue: {
    path: {
      /** Id of the magazine it belongs to. */
      magazineId: string;
    };
    query: null;
    body: IssueCreate;
    result: Issue;
    selection: null;
  };
  /** Create or change an issue. */
  upsertIssue: {
    path: {
      /** Id of the magazine it belongs to. */
      magazineId: string;
    };
    query: {
      /** The value by which an issue is found: `externalId`. The body has to contain it. Several values in a list match the record that has any of them; if they belong to different records, the response is 409 `ambiguous_match`. */
      matching: 'externalId';
    };
    body: IssuePatch;
    result: Issue;
    selection: null;
  };
  /** Read an issue. */
  getIssue: {
    path: {
      /** Id of the magazine it belongs to. */
      magazineId: string;
      /** Id of the issue. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: magazines, knowledge files and articles. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly ('magazineId' | 'coverFileId' | 'fileIds' | 'articleId')[] | undefined;
    };
    body: null;
    result: Issue;
    selection: Selection<Issue>;
  };
  /** Change an issue. */
  updateIssue: {
    path: {
      /** Id of the magazine it belongs to. */
      magazineId: string;
      /** Id of the issue. */
      id: string;
    };
    query: null;
    body: IssuePatch;
    result: Issue;
    selection: null;
  };
  /** Delete an issue. */
  deleteIssue: {
    path: {
      /** Id of the magazine it belongs to. */
      magazineId: string;
      /** Id of the issue. */
      id: string;
    };
    query: {
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in its history, in stored responses or in events. */
      erase?: boolean | undefined;
    };
    body: null;
    result: null;
    selection: null;
  };
  /** Search issues. */
  searchIssues: {
    path: {
      /** Id of the magazine it belongs to. */
      magazineId: string;
    };
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: magazines, knowledge files and articles. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly ('magazineId' | 'coverFileId' | 'fileIds' | 'articleId')[] | undefined;
    };
    body: null;
    result: IssueSearchResults;
    selection: null;
  };
  /** Write several issues at once. */
  batchIssues: {
    path: {
      /** Id of the magazine it belongs to. */
      magazineId: string;
    };
    query: null;
    body: BatchCreate;
    result: BatchOutcomes;
    selection: null;
  };
  /** Count issues. */
  countIssues: {
    path: {
      /** Id of the magazine it belongs to. */
      magazineId: string;
    };
    query: {
      /** The filter whose values are counted: `status` or `accessStatus`. */
      by: 'status' | 'accessStatus';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Status. */
      status?: readonly ('PLANNED' | 'IN_PRODUCTION' | 'PUBLISHED' | 'ARCHIVED')[] | undefined;
      /** Year. */
      year?: number | undefined;
      /** Volume, as printed. */
      volume?: string | undefined;
      /** Issues that contain this article. */
      articleId?: readonly string[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records that have a value in `volume`, or only those that have none. */
      'volume[exists]'?: boolean | undefined;
      /** Only records whose `volume` contains this text. Case and accents are ignored. */
      'volume[contains]'?: string | undefined;
      /** Only records that have a value in `number`, or only those that have none. */
      'number[exists]'?: boolean | undefined;
      /** Only records whose `number` contains this text. Case and accents are ignored. */
      'number[contains]'?: string | undefined;
      /** Only records that have a value in `year`, or only those that have none. */
      'year[exists]'?: boolean | undefined;
      /** Only records whose `year` is at least this. Records without the value are not found. */
      'year[gte]'?: number | undefined;
      /** Only records whose `year` is greater than this. Records without the value are not found. */
      'year[gt]'?: number | undefined;
      /** Only records whose `year` is at most this. Records without the value are not found. */
      'year[lte]'?: number | undefined;
      /** Only records whose `year` is less than this. Records without the value are not found. */
      'year[lt]'?: number | undefined;
      /** Only records that have a value in `title`, or only those that have none. */
      'title[exists]'?: boolean | undefined;
      /** Only records whose `title` contains this text. Case and accents are ignored. */
      'title[contains]'?: string | undefined;
      /** Only records that have a value in `coverDate`, or only those that have none. */
      'coverDate[exists]'?: boolean | undefined;
      /** Only records whose `coverDate` contains this text. Case and accents are ignored. */
      'coverDate[contains]'?: string | undefined;
      /** Only records that have a value in `publicationDate`, or only those that have none. */
      'publicationDate[exists]'?: boolean | undefined;
      /** Only records whose `publicationDate` is this or later. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[gte]'?: string | undefined;
      /** Only records whose `publicationDate` is later than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[gt]'?: string | undefined;
      /** Only records whose `publicationDate` is this or earlier. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[lte]'?: string | undefined;
      /** Only records whose `publicationDate` is earlier than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'publicationDate[lt]'?: string | undefined;
      /** Only records that have a value in `pageCount`, or only those that have none. */
      'pageCount[exists]'?: boolean | undefined;
      /** Only records whose `pageCount` is at least this. Records without the value are not found. */
      'pageCount[gte]'?: number | undefined;
      /** Only records whose `pageCount` is greater than this. Records without the value are not found. */
      'pageCount[gt]'?: number | undefined;
      /** Only records whose `pageCount` is at most this. Records without the value are not found. */
      'pageCount[lte]'?: number | undefined;
      /** Only records whose `pageCount` is less than this. Records without the value are not found. */
      'pageCount[lt]'?: number | undefined;
      /** Only records that have a value in `doi`, or only those that have none. */
      'doi[exists]'?: boolean | undefined;
      /** Only records with this `coverFileId`. */
      coverFileId?: readonly string[] | undefined;
      /** Only records that have a value in `coverFileId`, or only those that have none. */
      'coverFileId[exists]'?: boolean | undefined;
      /** Only records that have an item in `fileIds`, or only those that have none. */
      'fileIds[exists]'?: boolean | undefined;
      /** Only records with this `accessStatus`. */
      accessStatus?: readonly ('OPEN' | 'SUBSCRIPTION')[] | undefined;
      /** Only records that have a value in `accessStatus`, or only those that have none. */
      'accessStatus[exists]'?: boolean | undefined;
      /** Only records that have a value in `openAccessDate`, or only those that have none. */
      'openAccessDate[exists]'?: boolean | undefined;
      /** Only records whose `openAccessDate` is this or later. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'openAccessDate[gte]'?: string | undefined;
      /** Only records whose `openAccessDate` is later than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'openAccessDate[gt]'?: string | undefined;
      /** Only records whose `openAccessDate` is this or earlier. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'openAccessDate[lte]'?: string | undefined;
      /** Only records whose `openAccessDate` is earlier than this. Records without the value are not found. A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`). */
      'openAccessDate[lt]'?: string | undefined;
      /** Only records that have an item in `contents`, or only those that have none. */
      'contents[exists]'?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
    };
    body: null;
    result: Counts;
    selection: null;
  };
  /** List the changes of one issue. */
  listIssueHistory: {
    path: {
      /** Id of the magazine it belongs to. */
      magazineId: string;
      /** Id of the issue. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one issue as of a version. */
  getIssueAsOf: {
    path: {
      /** Id of the magazine it belongs to. */
      magazineId: string;
      /** Id of the issue. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: Issue;
    selection: null;
  };
  /** List contacts. */
  listContacts: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no contact that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'displayName' | '-displayName' | '-firstName' | 'firstName' | '-lastName' | 'lastName' | undefined;
      /** Contacts that this member owns. */
      ownerUserId?: readonly string[] | undefined;
      /** Contacts of this company. */
      companyId?: readonly string[] | undefined;
      /** Contacts with this label. */
      tag?: string | undefined;
      /** Lifecycle stage. */
      lifecycleStage?: readonly ('SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER')[] | undefined;
      /** Status of the lead. */
      leadStatus?: readonly ('NEW' | 'OPEN' | 'IN_PROGRESS' | 'UNQUALIFIED' | 'CONVERTED')[] | undefined;
      /** The contact with this e-mail address. */
      email?: string | undefined;
      /** Contacts with this phone number, in any notation. */
      phone?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records that have a value in `firstName`, or only those that have none. */
      'firstName[exists]'?: boolean | undefined;
      /** Only records whose `firstName` contains this text. Case and accents are ignored. */
      'firstName[contains]'?: string | undefined;
      /** Only records that have a value in `lastName`, or only those that have none. */
      'lastName[exists]'?: boolean | undefined;
      /** Only records whose `lastName` contains this text. Case and accents are ignored. */
      'lastName[contains]'?: string | undefined;
      /** Only records whose `displayName` contains this text. Case and accents are ignored. */
      'displayName[contains]'?: string | undefined;
      /** Only records that have a value in `jobTitle`, or only those that have none. */
      'jobTitle[exists]'?: boolean | undefined;
      /** Only records whose `jobTitle` contains this text. Case and accents are ignored. */
      'jobTitle[contains]'?: string | undefined;
      /** Only records that have an item in `emails`, or only those that have none. */
      'emails[exists]'?: boolean | undefined;
      /** Only records that have an item in `phones`, or only those that have none. */
      'phones[exists]'?: boolean | undefined;
      /** Only records that have an item in `addresses`, or only those that have none. */
      'addresses[exists]'?: boolean | undefined;
      /** Only records that have a value in `timezone`, or only those that have none. */
      'timezone[exists]'?: boolean | undefined;
      /** Only records with this `locale`. */
      locale?: readonly string[] | undefined;
      /** Only records that have a value in `locale`, or only those that have none. */
      'locale[exists]'?: boolean | undefined;
      /** Only records that have an item in `companies`, or only those that have none. */
      'companies[exists]'?: boolean | undefined;
      /** Only records that have a value in `lifecycleStage`, or only those that have none. */
      'lifecycleStage[exists]'?: boolean | undefined;
      /** Only records that have a value in `leadStatus`, or only those that have none. */
      'leadStatus[exists]'?: boolean | undefined;
      /** Only records that have a value in `ownerUserId`, or only those that have none. */
      'ownerUserId[exists]'?: boolean | undefined;
      /** Only records that have an item in `tags`, or only those that have none. */
      'tags[exists]'?: boolean | undefined;
      /** Only records that have a value in `source`, or only those that have none. */
      'source[exists]'?: boolean | undefined;
      /** Only records whose `source` contains this text. Case and accents are ignored. */
      'source[contains]'?: string | undefined;
      /** Only records that have a value in `notes`, or only those that have none. */
      'notes[exists]'?: boolean | undefined;
      /** Only records with this `doNotContact`. */
      doNotContact?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: CRM companies. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'companyId'[] | undefined;
    };
    body: null;
    result: ContactList;
    selection: Omit<ContactList, 'items'> & { items: readonly Selection<Contact>[] };
  };
  /** Create a contact. */
  createContact: {
    path: null;
    query: null;
    body: ContactCreate;
    result: Contact;
    selection: null;
  };
  /** Create or change a contact. */
  upsertContact: {
    path: null;
    query: {
      /** The value by which a contact is found: `externalId` or `email`. The body has to contain it. Several values in a list match the record that has any of them; if they belong to different records, the response is 409 `ambiguous_match`. */
      matching: 'externalId' | 'email';
    };
    body: ContactPatch;
    result: Contact;
    selection: null;
  };
  /** Read a contact. */
  getContact: {
    path: {
      /** Id of the contact. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: CRM companies. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'companyId'[] | undefined;
    };
    body: null;
    result: Contact;
    selection: Selection<Contact>;
  };
  /** Change a contact. */
  updateContact: {
    path: {
      /** Id of the contact. */
      id: string;
    };
    query: null;
    body: ContactPatch;
    result: Contact;
    selection: null;
  };
  /** Delete a contact. */
  deleteContact: {
    path: {
      /** Id of the contact. */
      id: string;
    };
    query: {
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in its history, in stored responses or in events. */
      erase?: boolean | undefined;
    };
    body: null;
    result: null;
    selection: null;
  };
  /** Search contacts. */
  searchContacts: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: CRM companies. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'companyId'[] | undefined;
    };
    body: null;
    result: ContactSearchResults;
    selection: null;
  };
  /** Write several contacts at once. */
  batchContacts: {
    path: null;
    query: null;
    body: BatchCreate;
    result: BatchOutcomes;
    selection: null;
  };
  /** Count contacts. */
  countContacts: {
    path: null;
    query: {
      /** The filter whose values are counted: `lifecycleStage` or `leadStatus`. */
      by: 'lifecycleStage' | 'leadStatus';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Contacts that this member owns. */
      ownerUserId?: readonly string[] | undefined;
      /** Contacts of this company. */
      companyId?: readonly string[] | undefined;
      /** Contacts with this label. */
      tag?: string | undefined;
      /** Lifecycle stage. */
      lifecycleStage?: readonly ('SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER')[] | undefined;
      /** Status of the lead. */
      leadStatus?: readonly ('NEW' | 'OPEN' | 'IN_PROGRESS' | 'UNQUALIFIED' | 'CONVERTED')[] | undefined;
      /** The contact with this e-mail address. */
      email?: string | undefined;
      /** Contacts with this phone number, in any notation. */
      phone?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records that have a value in `firstName`, or only those that have none. */
      'firstName[exists]'?: boolean | undefined;
      /** Only records whose `firstName` contains this text. Case and accents are ignored. */
      'firstName[contains]'?: string | undefined;
      /** Only records that have a value in `lastName`, or only those that have none. */
      'lastName[exists]'?: boolean | undefined;
      /** Only records whose `lastName` contains this text. Case and accents are ignored. */
      'lastName[contains]'?: string | undefined;
      /** Only records whose `displayName` contains this text. Case and accents are ignored. */
      'displayName[contains]'?: string | undefined;
      /** Only records that have a value in `jobTitle`, or only those that have none. */
      'jobTitle[exists]'?: boolean | undefined;
      /** Only records whose `jobTitle` contains this text. Case and accents are ignored. */
      'jobTitle[contains]'?: string | undefined;
      /** Only records that have an item in `emails`, or only those that have none. */
      'emails[exists]'?: boolean | undefined;
      /** Only records that have an item in `phones`, or only those that have none. */
      'phones[exists]'?: boolean | undefined;
      /** Only records that have an item in `addresses`, or only those that have none. */
      'addresses[exists]'?: boolean | undefined;
      /** Only records that have a value in `timezone`, or only those that have none. */
      'timezone[exists]'?: boolean | undefined;
      /** Only records with this `locale`. */
      locale?: readonly string[] | undefined;
      /** Only records that have a value in `locale`, or only those that have none. */
      'locale[exists]'?: boolean | undefined;
      /** Only records that have an item in `companies`, or only those that have none. */
      'companies[exists]'?: boolean | undefined;
      /** Only records that have a value in `lifecycleStage`, or only those that have none. */
      'lifecycleStage[exists]'?: boolean | undefined;
      /** Only records that have a value in `leadStatus`, or only those that have none. */
      'leadStatus[exists]'?: boolean | undefined;
      /** Only records that have a value in `ownerUserId`, or only those that have none. */
      'ownerUserId[exists]'?: boolean | undefined;
      /** Only records that have an item in `tags`, or only those that have none. */
      'tags[exists]'?: boolean | undefined;
      /** Only records that have a value in `source`, or only those that have none. */
      'source[exists]'?: boolean | undefined;
      /** Only records whose `source` contains this text. Case and accents are ignored. */
      'source[contains]'?: string | undefined;
      /** Only records that have a value in `notes`, or only those that have none. */
      'notes[exists]'?: boolean | undefined;
      /** Only records with this `doNotContact`. */
      doNotContact?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
    };
    body: null;
    result: Counts;
    selection: null;
  };
  /** List the changes of one contact. */
  listContactHistory: {
    path: {
      /** Id of the contact. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one contact as of a version. */
  getContactAsOf: {
    path: {
      /** Id of the contact. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: Contact;
    selection: null;
  };
  /** List companies. */
  listCompanies: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, only words match. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no company that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | '-employeeCount' | 'employeeCount' | undefined;
      /** Companies that this member owns. */
      ownerUserId?: readonly string[] | undefined;
      /** Direct subsidiaries of this company. */
      parentCompanyId?: readonly string[] | undefined;
      /** Companies with this label. */
      tag?: string | undefined;
      /** Lifecycle stage. */
      lifecycleStage?: readonly ('SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER')[] | undefined;
      /** The company with this domain. */
      domain?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `name` contains this text. Case and accents are ignored. */
      'name[contains]'?: string | undefined;
      /** Only records that have an item in `domains`, or only those that have none. */
      'domains[exists]'?: boolean | undefined;
      /** Only records that have a value in `websiteUrl`, or only those that have none. */
      'websiteUrl[exists]'?: boolean | undefined;
      /** Only records whose `websiteUrl` contains this text. Case and accents are ignored. */
      'websiteUrl[contains]'?: string | undefined;
      /** Only records that have a value in `industry`, or only those that have none. */
      'industry[exists]'?: boolean | undefined;
      /** Only records whose `industry` contains this text. Case and accents are ignored. */
      'industry[contains]'?: string | undefined;
      /** Only records that have a value in `employeeCount`, or only those that have none. */
      'employeeCount[exists]'?: boolean | undefined;
      /** Only records whose `employeeCount` is at least this. Records without the value are not found. */
      'employeeCount[gte]'?: number | undefined;
      /** Only records whose `employeeCount` is greater than this. Records without the value are not found. */
      'employeeCount[gt]'?: number | undefined;
      /** Only records whose `employeeCount` is at most this. Records without the value are not found. */
      'employeeCount[lte]'?: number | undefined;
      /** Only records whose `employeeCount` is less than this. Records without the value are not found. */
      'employeeCount[lt]'?: number | undefined;
      /** Only records that have a value in `annualRevenue`, or only those that have none. */
      'annualRevenue[exists]'?: boolean | undefined;
      /** Only records that have a value in `parentCompanyId`, or only those that have none. */
      'parentCompanyId[exists]'?: boolean | undefined;
      /** Only records that have an item in `phones`, or only those that have none. */
      'phones[exists]'?: boolean | undefined;
      /** Only records that have an item in `addresses`, or only those that have none. */
      'addresses[exists]'?: boolean | undefined;
      /** Only records that have a value in `ownerUserId`, or only those that have none. */
      'ownerUserId[exists]'?: boolean | undefined;
      /** Only records that have an item in `tags`, or only those that have none. */
      'tags[exists]'?: boolean | undefined;
      /** Only records that have a value in `lifecycleStage`, or only those that have none. */
      'lifecycleStage[exists]'?: boolean | undefined;
      /** Only records that have a value in `description`, or only those that have none. */
      'description[exists]'?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: CRM companies. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'parentCompanyId'[] | undefined;
    };
    body: null;
    result: CompanyList;
    selection: Omit<CompanyList, 'items'> & { items: readonly Selection<Company>[] };
  };
  /** Create a company. */
  createCompany: {
    path: null;
    query: null;
    body: CompanyCreate;
    result: Company;
    selection: null;
  };
  /** Create or change a company. */
  upsertCompany: {
    path: null;
    query: {
      /** The value by which a company is found: `externalId` or `domain`. The body has to contain it. Several values in a list match the record that has any of them; if they belong to different records, the response is 409 `ambiguous_match`. */
      matching: 'externalId' | 'domain';
    };
    body: CompanyPatch;
    result: Company;
    selection: null;
  };
  /** Read a company. */
  getCompany: {
    path: {
      /** Id of the company. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: CRM companies. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'parentCompanyId'[] | undefined;
    };
    body: null;
    result: Company;
    selection: Selection<Company>;
  };
  /** Change a company. */
  updateCompany: {
    path: {
      /** Id of the company. */
      id: string;
    };
    query: null;
    body: CompanyPatch;
    result: Company;
    selection: null;
  };
  /** Delete a company. */
  deleteCompany: {
    path: {
      /** Id of the company. */
      id: string;
    };
    query: {
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in its history, in stored responses or in events. */
      erase?: boolean | undefined;
    };
    body: null;
    result: null;
    selection: null;
  };
  /** Search companies. */
  searchCompanies: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: CRM companies. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'parentCompanyId'[] | undefined;
    };
    body: null;
    result: CompanySearchResults;
    selection: null;
  };
  /** Write several companies at once. */
  batchCompanies: {
    path: null;
    query: null;
    body: BatchCreate;
    result: BatchOutcomes;
    selection: null;
  };
  /** Count companies. */
  countCompanies: {
    path: null;
    query: {
      /** The filter whose values are counted: `lifecycleStage`. */
      by: 'lifecycleStage';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, only words match. */
      search?: string | undefined;
      /** Companies that this member owns. */
      ownerUserId?: readonly string[] | undefined;
      /** Direct subsidiaries of this company. */
      parentCompanyId?: readonly string[] | undefined;
      /** Companies with this label. */
      tag?: string | undefined;
      /** Lifecycle stage. */
      lifecycleStage?: readonly ('SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER')[] | undefined;
      /** The company with this domain. */
      domain?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `name` contains this text. Case and accents are ignored. */
      'name[contains]'?: string | undefined;
      /** Only records that have an item in `domains`, or only those that have none. */
      'domains[exists]'?: boolean | undefined;
      /** Only records that have a value in `websiteUrl`, or only those that have none. */
      'websiteUrl[exists]'?: boolean | undefined;
      /** Only records whose `websiteUrl` contains this text. Case and accents are ignored. */
      'websiteUrl[contains]'?: string | undefined;
      /** Only records that have a value in `industry`, or only those that have none. */
      'industry[exists]'?: boolean | undefined;
      /** Only records whose `industry` contains this text. Case and accents are ignored. */
      'industry[contains]'?: string | undefined;
      /** Only records that have a value in `employeeCount`, or only those that have none. */
      'employeeCount[exists]'?: boolean | undefined;
      /** Only records whose `employeeCount` is at least this. Records without the value are not found. */
      'employeeCount[gte]'?: number | undefined;
      /** Only records whose `employeeCount` is greater than this. Records without the value are not found. */
      'employeeCount[gt]'?: number | undefined;
      /** Only records whose `employeeCount` is at most this. Records without the value are not found. */
      'employeeCount[lte]'?: number | undefined;
      /** Only records whose `employeeCount` is less than this. Records without the value are not found. */
      'employeeCount[lt]'?: number | undefined;
      /** Only records that have a value in `annualRevenue`, or only those that have none. */
      'annualRevenue[exists]'?: boolean | undefined;
      /** Only records that have a value in `parentCompanyId`, or only those that have none. */
      'parentCompanyId[exists]'?: boolean | undefined;
      /** Only records that have an item in `phones`, or only those that have none. */
      'phones[exists]'?: boolean | undefined;
      /** Only records that have an item in `addresses`, or only those that have none. */
      'addresses[exists]'?: boolean | undefined;
      /** Only records that have a value in `ownerUserId`, or only those that have none. */
      'ownerUserId[exists]'?: boolean | undefined;
      /** Only records that have an item in `tags`, or only those that have none. */
      'tags[exists]'?: boolean | undefined;
      /** Only records that have a value in `lifecycleStage`, or only those that have none. */
      'lifecycleStage[exists]'?: boolean | undefined;
      /** Only records that have a value in `description`, or only those that have none. */
      'description[exists]'?: boolean | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
    };
    body: null;
    result: Counts;
    selection: null;
  };
  /** List the changes of one company. */
  listCompanyHistory: {
    path: {
      /** Id of the company. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one company as of a version. */
  getCompanyAsOf: {
    path: {
      /** Id of the company. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: Company;
    selection: null;
  };
  /** List webhook endpoints. */
  listWebhookEndpoints: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, only words match. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no webhook endpoint that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'url' | '-url' | '-secretRotatedAt' | 'secretRotatedAt' | undefined;
      /** Endpoints with this status. */
      status?: readonly ('ENABLED' | 'DISABLED')[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `url` contains this text. Case and accents are ignored. */
      'url[contains]'?: string | undefined;
      /** Only records that have an item in `eventTypes`, or only those that have none. */
      'eventTypes[exists]'?: boolean | undefined;
      /** Only records that have an item in `siteIds`, or only those that have none. */
      'siteIds[exists]'?: boolean | undefined;
      /** Only records with this `payload`. */
      payload?: readonly ('THIN' | 'FULL')[] | undefined;
      /** Only records that have a value in `description`, or only those that have none. */
      'description[exists]'?: boolean | undefined;
      /** Only records whose `description` contains this text. Case and accents are ignored. */
      'description[contains]'?: string | undefined;
      /** Only records that have a value in `secretRotatedAt`, or only those that have none. */
      'secretRotatedAt[exists]'?: boolean | undefined;
      /** Only records whose `secretRotatedAt` is this or later. Records without the value are not found. */
      'secretRotatedAt[gte]'?: string | undefined;
      /** Only records whose `secretRotatedAt` is later than this. Records without the value are not found. */
      'secretRotatedAt[gt]'?: string | undefined;
      /** Only records whose `secretRotatedAt` is this or earlier. Records without the value are not found. */
      'secretRotatedAt[lte]'?: string | undefined;
      /** Only records whose `secretRotatedAt` is earlier than this. Records without the value are not found. */
      'secretRotatedAt[lt]'?: string | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: sites. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'siteIds'[] | undefined;
    };
    body: null;
    result: WebhookEndpointList;
    selection: Omit<WebhookEndpointList, 'items'> & { items: readonly Selection<WebhookEndpoint>[] };
  };
  /** Create a webhook endpoint. */
  createWebhookEndpoint: {
    path: null;
    query: null;
    body: WebhookEndpointCreate;
    result: WebhookEndpointWithSecret;
    selection: null;
  };
  /** Read a webhook endpoint. */
  getWebhookEndpoint: {
    path: {
      /** Id of the webhook endpoint. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: sites. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'siteIds'[] | undefined;
    };
    body: null;
    result: WebhookEndpoint;
    selection: Selection<WebhookEndpoint>;
  };
  /** Change a webhook endpoint. */
  updateWebhookEndpoint: {
    path: {
      /** Id of the webhook endpoint. */
      id: string;
    };
    query: null;
    body: WebhookEndpointPatch;
    result: WebhookEndpoint;
    selection: null;
  };
  /** Delete a webhook endpoint. */
  deleteWebhookEndpoint: {
    path: {
      /** Id of the webhook endpoint. */
      id: string;
    };
    query: null;
    body: null;
    result: null;
    selection: null;
  };
  /** Search webhook endpoints. */
  searchWebhookEndpoints: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Return in `included` what the records refer to by these members, separated by commas: sites. A record that the caller may not read is left out, like one that does not exist. At most 1000 records, and as many bytes as a page may have; the ids of the others are in `omitted`. */
      include?: readonly 'siteIds'[] | undefined;
    };
    body: null;
    result: WebhookEndpointSearchResults;
    selection: null;
  };
  /** Replace the secret of a webhook endpoint. */
  rotateWebhookEndpointSecret: {
    path: {
      /** Id of the webhook endpoint. */
      id: string;
    };
    query: null;
    body: null;
    result: WebhookEndpointWithSecret;
    selection: null;
  };
  /** Try a webhook endpoint. */
  testWebhookEndpoint: {
    path: {
      /** Id of the webhook endpoint. */
      id: string;
    };
    query: null;
    body: null;
    result: WebhookDelivery;
    selection: null;
  };
  /** Send a delivery again. */
  retryWebhookDelivery: {
    path: {
      /** Id of the webhook endpoint. */
      id: string;
      /** Id of the delivery. */
      deliveryId: string;
    };
    query: null;
    body: null;
    result: WebhookDelivery;
    selection: null;
  };
  /** Replay the events of a time span. */
  replayWebhookEvents: {
    path: {
      /** Id of the webhook endpoint. */
      id: string;
    };
    query: null;
    body: WebhookReplayCreate;
    result: WebhookReplay;
    selection: null;
  };
  /** List deliveries of a webhook endpoint. */
  listWebhookDeliveries: {
    path: {
      /** Id of the webhook endpoint. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only those with this status. */
      status?: 'PENDING' | 'SUCCEEDED' | 'FAILED' | undefined;
    };
    body: null;
    result: WebhookDeliveryList;
    selection: null;
  };
  /** Count webhook endpoints. */
  countWebhookEndpoints: {
    path: null;
    query: {
      /** The filter whose values are counted: `status` or `payload`. */
      by: 'status' | 'payload';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `$name`, only words match. */
      search?: string | undefined;
      /** Endpoints with this status. */
      status?: readonly ('ENABLED' | 'DISABLED')[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key. */
      externalId?: readonly string[] | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Only records whose `url` contains this text. Case and accents are ignored. */
      'url[contains]'?: string | undefined;
      /** Only records that have an item in `eventTypes`, or only those that have none. */
      'eventTypes[exists]'?: boolean | undefined;
      /** Only records that have an item in `siteIds`, or only those that have none. */
      'siteIds[exists]'?: boolean | undefined;
      /** Only records with this `payload`. */
      payload?: readonly ('THIN' | 'FULL')[] | undefined;
      /** Only records that have a value in `description`, or only those that have none. */
      'description[exists]'?: boolean | undefined;
      /** Only records whose `description` contains this text. Case and accents are ignored. */
      'description[contains]'?: string | undefined;
      /** Only records that have a value in `secretRotatedAt`, or only those that have none. */
      'secretRotatedAt[exists]'?: boolean | undefined;
      /** Only records whose `secretRotatedAt` is this or later. Records without the value are not found. */
      'secretRotatedAt[gte]'?: string | undefined;
      /** Only records whose `secretRotatedAt` is later than this. Records without the value are not found. */
      'secretRotatedAt[gt]'?: string | undefined;
      /** Only records whose `secretRotatedAt` is this or earlier. Records without the value are not found. */
      'secretRotatedAt[lte]'?: string | undefined;
      /** Only records whose `secretRotatedAt` is earlier than this. Records without the value are not found. */
      'secretRotatedAt[lt]'?: string | undefined;
      /** Only records that have a value in `externalId`, or only those that have none. */
      'externalId[exists]'?: boolean | undefined;
      /** Only records whose `createdAt` is this or later. */
      'createdAt[gte]'?: string | undefined;
      /** Only records whose `createdAt` is later than this. */
      'createdAt[gt]'?: string | undefined;
      /** Only records whose `createdAt` is this or earlier. */
      'createdAt[lte]'?: string | undefined;
      /** Only records whose `createdAt` is earlier than this. */
      'createdAt[lt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or later. */
      'updatedAt[gte]'?: string | undefined;
      /** Only records whose `updatedAt` is later than this. */
      'updatedAt[gt]'?: string | undefined;
      /** Only records whose `updatedAt` is this or earlier. */
      'updatedAt[lte]'?: string | undefined;
      /** Only records whose `updatedAt` is earlier than this. */
      'updatedAt[lt]'?: string | undefined;
    };
    body: null;
    result: Counts;
    selection: null;
  };
  /** List the changes of one webhook endpoint. */
  listWebhookEndpointHistory: {
    path: {
      /** Id of the webhook endpoint. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one webhook endpoint as of a version. */
  getWebhookEndpointAsOf: {
    path: {
      /** Id of the webhook endpoint. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: WebhookEndpoint;
    selection: null;
  };
  /** Read an organization. */
  getOrganization: {
    path: null;
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: Organization;
    selection: Selection<Organization>;
  };
  /** Change an organization. */
  updateOrganization: {
    path: null;
    query: null;
    body: OrganizationPatch;
    result: Organization;
    selection: null;
  };
  /** List the changes of the organization. */
  listOrganizationHistory: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read the organization as of a version. */
  getOrganizationAsOf: {
    path: {
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: Organization;
    selection: null;
  };
  /** List roles. */
  listRoles: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no role that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** Only built-in roles, or only others. */
      builtIn?: boolean | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: RoleList;
    selection: Omit<RoleList, 'items'> & { items: readonly Selection<Role>[] };
  };
  /** Create a role. */
  createRole: {
    path: null;
    query: null;
    body: RoleCreate;
    result: Role;
    selection: null;
  };
  /** Read a role. */
  getRole: {
    path: {
      /** Id of the role. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: Role;
    selection: Selection<Role>;
  };
  /** Change a role. */
  updateRole: {
    path: {
      /** Id of the role. */
      id: string;
    };
    query: null;
    body: RolePatch;
    result: Role;
    selection: null;
  };
  /** Delete a role. */
  deleteRole: {
    path: {
      /** Id of the role. */
      id: string;
    };
    query: null;
    body: null;
    result: null;
    selection: null;
  };
  /** Search roles. */
  searchRoles: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: RoleSearchResults;
    selection: null;
  };
  /** List the changes of one role. */
  listRoleHistory: {
    path: {
      /** Id of the role. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one role as of a version. */
  getRoleAsOf: {
    path: {
      /** Id of the role. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: Role;
    selection: null;
  };
  /** List members. */
  listMembers: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no member that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** Members of this kind. */
      kind?: readonly ('PERSON' | 'SERVICE')[] | undefined;
      /** The service members that this person is responsible for. */
      responsibleUserId?: readonly string[] | undefined;
      /** Members with this role. */
      roleId?: readonly string[] | undefined;
      /** Members with this status. */
      status?: readonly ('ACTIVE' | 'DISABLED')[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: MemberList;
    selection: Omit<MemberList, 'items'> & { items: readonly Selection<Member>[] };
  };
  /** Create a member. */
  createMember: {
    path: null;
    query: null;
    body: MemberCreate;
    result: Member;
    selection: null;
  };
  /** Read a member. */
  getMember: {
    path: {
      /** Id of the member. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: Member;
    selection: Selection<Member>;
  };
  /** Change a member. */
  updateMember: {
    path: {
      /** Id of the member. */
      id: string;
    };
    query: null;
    body: MemberPatch;
    result: Member;
    selection: null;
  };
  /** Delete a member. */
  deleteMember: {
    path: {
      /** Id of the member. */
      id: string;
    };
    query: null;
    body: null;
    result: null;
    selection: null;
  };
  /** Search members. */
  searchMembers: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: MemberSearchResults;
    selection: null;
  };
  /** Count members. */
  countMembers: {
    path: null;
    query: {
      /** The filter whose values are counted: `kind` or `status`. */
      by: 'kind' | 'status';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Members of this kind. */
      kind?: readonly ('PERSON' | 'SERVICE')[] | undefined;
      /** The service members that this person is responsible for. */
      responsibleUserId?: readonly string[] | undefined;
      /** Members with this role. */
      roleId?: readonly string[] | undefined;
      /** Members with this status. */
      status?: readonly ('ACTIVE' | 'DISABLED')[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
    };
    body: null;
    result: Counts;
    selection: null;
  };
  /** List invitations. */
  listInvitations: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no invitation that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'email' | '-email' | undefined;
      /** Invitations with this status. */
      status?: readonly ('PENDING' | 'ACCEPTED' | 'REVOKED' | 'EXPIRED')[] | undefined;
      /** Invitations to this role. */
      roleId?: readonly string[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: InvitationList;
    selection: Omit<InvitationList, 'items'> & { items: readonly Selection<Invitation>[] };
  };
  /** Create an invitation. */
  createInvitation: {
    path: null;
    query: null;
    body: InvitationCreate;
    result: InvitationWithLink;
    selection: null;
  };
  /** Read an invitation. */
  getInvitation: {
    path: {
      /** Id of the invitation. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: Invitation;
    selection: Selection<Invitation>;
  };
  /** Revoke an invitation. */
  deleteInvitation: {
    path: {
      /** Id of the invitation. */
      id: string;
    };
    query: null;
    body: null;
    result: null;
    selection: null;
  };
  /** Search invitations. */
  searchInvitations: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: InvitationSearchResults;
    selection: null;
  };
  /** Send an invitation again. */
  resendInvitation: {
    path: {
      /** Id of the invitation. */
      id: string;
    };
    query: null;
    body: null;
    result: InvitationWithLink;
    selection: null;
  };
  /** Count invitations. */
  countInvitations: {
    path: null;
    query: {
      /** The filter whose values are counted: `status`. */
      by: 'status';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Invitations with this status. */
      status?: readonly ('PENDING' | 'ACCEPTED' | 'REVOKED' | 'EXPIRED')[] | undefined;
      /** Invitations to this role. */
      roleId?: readonly string[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
    };
    body: null;
    result: Counts;
    selection: null;
  };
  /** List clients. */
  listClients: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no client that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** Clients of this kind. */
      kind?: readonly ('SERVER' | 'CONSOLE' | 'CLI' | 'BROWSER')[] | undefined;
      /** Clients with this status. */
      status?: readonly ('ACTIVE' | 'DISABLED')[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: ClientList;
    selection: Omit<ClientList, 'items'> & { items: readonly Selection<Client>[] };
  };
  /** Create a client. */
  createClient: {
    path: null;
    query: null;
    body: ClientCreate;
    result: Client;
    selection: null;
  };
  /** Read a client. */
  getClient: {
    path: {
      /** Id of the client. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: Client;
    selection: Selection<Client>;
  };
  /** Change a client. */
  updateClient: {
    path: {
      /** Id of the client. */
      id: string;
    };
    query: null;
    body: ClientPatch;
    result: Client;
    selection: null;
  };
  /** Delete a client. */
  deleteClient: {
    path: {
      /** Id of the client. */
      id: string;
    };
    query: null;
    body: null;
    result: null;
    selection: null;
  };
  /** Search clients. */
  searchClients: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: ClientSearchResults;
    selection: null;
  };
  /** Count clients. */
  countClients: {
    path: null;
    query: {
      /** The filter whose values are counted: `kind` or `status`. */
      by: 'kind' | 'status';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Clients of this kind. */
      kind?: readonly ('SERVER' | 'CONSOLE' | 'CLI' | 'BROWSER')[] | undefined;
      /** Clients with this status. */
      status?: readonly ('ACTIVE' | 'DISABLED')[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
    };
    body: null;
    result: Counts;
    selection: null;
  };
  /** List the changes of one client. */
  listClientHistory: {
    path: {
      /** Id of the client. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one client as of a version. */
  getClientAsOf: {
    path: {
      /** Id of the client. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: Client;
    selection: null;
  };
  /** List tokens. */
  listTokens: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no token that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** Tokens of this client. */
      clientId?: readonly string[] | undefined;
      /** Tokens that act for this user. */
      userId?: readonly string[] | undefined;
      /** Made or replaced at or after this instant. */
      updatedSince?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: TokenList;
    selection: Omit<TokenList, 'items'> & { items: readonly Selection<Token>[] };
  };
  /** Create a token. */
  createToken: {
    path: null;
    query: null;
    body: TokenCreate;
    result: TokenWithSecret;
    selection: null;
  };
  /** Read a token. */
  getToken: {
    path: {
      /** Id of the token. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: Token;
    selection: Selection<Token>;
  };
  /** Change a token. */
  updateToken: {
    path: {
      /** Id of the token. */
      id: string;
    };
    query: null;
    body: TokenPatch;
    result: Token;
    selection: null;
  };
  /** Delete a token. */
  deleteToken: {
    path: {
      /** Id of the token. */
      id: string;
    };
    query: null;
    body: null;
    result: null;
    selection: null;
  };
  /** Search tokens. */
  searchTokens: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: TokenSearchResults;
    selection: null;
  };
  /** Replace a token. */
  rotateToken: {
    path: {
      /** Id of the token. */
      id: string;
    };
    query: null;
    body: TokenRotationCreate;
    result: TokenWithSecret;
    selection: null;
  };
  /** List views. */
  listViews: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Only the records with these ids, on one page unless `limit` says otherwise. An id of no view that the caller sees is left out. */
      ids?: readonly string[] | undefined;
      /** Order of the list; a minus sign reverses it. Titles and names are in alphabetical order, in which case and accents only decide between texts that are otherwise equal, and digits count by their value. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** Views of the lists of this resource. */
      resource?: readonly ('sites' | 'categories' | 'tags' | 'knowledge-files' | 'articles' | 'books' | 'magazines' | 'issues' | 'contacts' | 'companies' | 'members')[] | undefined;
      /** Only shared views, or only private ones. */
      shared?: boolean | undefined;
      /** Views that this member created. */
      ownerUserId?: readonly string[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: ViewList;
    selection: Omit<ViewList, 'items'> & { items: readonly Selection<View>[] };
  };
  /** Create a view. */
  createView: {
    path: null;
    query: null;
    body: ViewCreate;
    result: View;
    selection: null;
  };
  /** Read a view. */
  getView: {
    path: {
      /** Id of the view. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
    };
    body: null;
    result: View;
    selection: Selection<View>;
  };
  /** Change a view. */
  updateView: {
    path: {
      /** Id of the view. */
      id: string;
    };
    query: null;
    body: ViewPatch;
    result: View;
    selection: null;
  };
  /** Delete a view. */
  deleteView: {
    path: {
      /** Id of the view. */
      id: string;
    };
    query: null;
    body: null;
    result: null;
    selection: null;
  };
  /** Search views. */
  searchViews: {
    path: null;
    query: {
      /** Words, "phrases" and -exclusions. The last word also matches as a prefix; words also match their other grammatical forms if the language of the record is known. */
      query: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: ViewSearchResults;
    selection: null;
  };
  /** Write several views at once. */
  batchViews: {
    path: null;
    query: null;
    body: BatchCreate;
    result: BatchOutcomes;
    selection: null;
  };
  /** Count views. */
  countViews: {
    path: null;
    query: {
      /** The filter whose values are counted: `resource`. */
      by: 'resource';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Views of the lists of this resource. */
      resource?: readonly ('sites' | 'categories' | 'tags' | 'knowledge-files' | 'articles' | 'books' | 'magazines' | 'issues' | 'contacts' | 'companies' | 'members')[] | undefined;
      /** Only shared views, or only private ones. */
      shared?: boolean | undefined;
      /** Views that this member created. */
      ownerUserId?: readonly string[] | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
    };
    body: null;
    result: Counts;
    selection: null;
  };
  /** List the changes of one view. */
  listViewHistory: {
    path: {
      /** Id of the view. */
      id: string;
    };
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: History;
    selection: null;
  };
  /** Read one view as of a version. */
  getViewAsOf: {
    path: {
      /** Id of the view. */
      id: string;
      /** Version of the record, from 1. */
      version: number;
    };
    query: null;
    body: null;
    result: View;
    selection: null;
  };
  /** Read the caller. */
  getMe: {
    path: null;
    query: null;
    body: null;
    result: Me;
    selection: null;
  };
  /** List sessions. */
  listSessions: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only sessions of this user. */
      userId?: string | undefined;
    };
    body: null;
    result: SessionList;
    selection: null;
  };
  /** Read a session. */
  getSession: {
    path: {
      /** Id of the session. */
      id: string;
    };
    query: null;
    body: null;
    result: Session;
    selection: null;
  };
  /** End a session. */
  deleteSession: {
    path: {
      /** Id of the session. */
      id: string;
    };
    query: null;
    body: null;
    result: null;
    selection: null;
  };
  /** List visitors of a site. */
  listVisitors: {
    path: null;
    query: {
      /** The site. */
      siteId: string;
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
    };
    body: null;
    result: VisitorList;
    selection: null;
  };
  /** Count visits by day and site. */
  countVisits: {
    path: null;
    query: {
      /** The time zone whose midnights divide the days, by its IANA name. */
      timeZone?: string | undefined;
    };
    body: null;
    result: VisitCounts;
    selection: null;
  };
  /** Read a visitor. */
  getVisitor: {
    path: {
      /** Id of the visitor, as returned by an identify call. */
      visitorId: string;
    };
    query: null;
    body: null;
    result: Visitor;
    selection: null;
  };
  /** Erase a visitor. */
  deleteVisitor: {
    path: {
      /** Id of the visitor, as returned by an identify call. */
      visitorId: string;
    };
    query: null;
    body: null;
    result: null;
    selection: null;
  };
  /** Read the changelog of the visitor lookup. */
  getVisitorLookupChangelog: {
    path: null;
    query: null;
    body: null;
    result: VisitorLookupChangelog;
    selection: null;
  };
  /** Read the event log. */
  listEvents: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Where to begin without a cursor: with the oldest event that is kept (`earliest`), with the next one (`latest`), or with changes made at or after an instant (RFC 3339). Send the same instant again with the cursor of a page. */
      from?: string | undefined;
      /** Only changes made before this instant. */
      to?: string | undefined;
      /** Only events of these types, divided by commas; `article.*` stands for all types of a resource: `article.published`, `article.*,book.deleted`. */
      type?: string | undefined;
      /** Only events about the record with this id. */
      subject?: string | undefined;
      /** Only changes that the user with this id made. */
      actorId?: string | undefined;
    };
    body: null;
    result: EventList;
    selection: null;
  };
  /** Follow the event log. */
  streamEvents: {
    path: null;
    query: {
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Where to begin without a cursor: with the oldest event that is kept (`earliest`), with the next one (`latest`), or with changes made at or after an instant (RFC 3339). Send the same instant again with the cursor of a page. */
      from?: string | undefined;
      /** Only events of these types, divided by commas; `article.*` stands for all types of a resource: `article.published`, `article.*,book.deleted`. */
      type?: string | undefined;
      /** Only events about the record with this id. */
      subject?: string | undefined;
      /** Only changes that the user with this id made. */
      actorId?: string | undefined;
    };
    body: null;
    result: ReadableStream<Uint8Array>;
    selection: null;
  };
  /** Read what changed lately. */
  getActivity: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Only events of this type, or of all types of a resource: `article.published`, `article.*`. */
      type?: string | undefined;
    };
    body: null;
    result: Activity;
    selection: null;
  };
  /** Read what waits for the caller. */
  getWaiting: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
    };
    body: null;
    result: Waiting;
    selection: null;
  };
  /** List the trash. */
  listTrash: {
    path: null;
    query: {
      /** Maximum number of items of a page. */
      limit?: number | undefined;
      /** Where to continue: `pageInfo.nextCursor` of the preceding response, unchanged. */
      cursor?: string | undefined;
      /** Only records of this resource. */
      resource?: 'sites' | 'categories' | 'tags' | 'knowledge-files' | 'articles' | 'books' | 'magazines' | 'issues' | 'contacts' | 'companies' | undefined;
      /** Only records whose title has all of these words, ignoring case and accents. */
      search?: string | undefined;
      /** Only records that the user with this id deleted. */
      deletedBy?: string | undefined;
    };
    body: null;
    result: TrashList;
    selection: null;
  };
  /** Restore a deleted record. */
  restoreFromTrash: {
    path: {
      /** Id of the deleted record. */
      id: string;
    };
    query: null;
    body: null;
    result: RestoredRecord;
    selection: null;
  };
  /** Delete a record for good. */
  purgeFromTrash: {
    path: {
      /** Id of the deleted record. */
      id: string;
    };
    query: null;
    body: null;
    result: null;
    selection: null;
  };
  /** Read this document. */
  getOpenApi: {
    path: null;
    query: null;
    body: null;
    result: OpenApiDocument;
    selection: null;
  };
  /** Read the AsyncAPI document. */
  getAsyncApi: {
    path: null;
    query: null;
    body: null;
    result: AsyncApiDocument;
    selection: null;
  };
  /** Load a public picture. */
  getPicture: {
    path: {
      /** Id of the organization. */
      organization: string;
      /** Id of the knowledge file. */
      file: string;
      /** The first 32 digits of the SHA-256 of the content. */
      content: string;
    };
    query: {
      /** Width of the box, in pixels. Pictures are never enlarged. */
      w?: 160 | 320 | 480 | 640 | 960 | 1280 | 1600 | 1920 | 2560 | undefined;
      /** Height of the box, in pixels. Pictures are never enlarged. */
      h?: 160 | 320 | 480 | 640 | 960 | 1280 | 1600 | 1920 | 2560 | undefined;
      /** `inside`: the whole picture, within the box. `cover`: the part of it that fills the box, around the `focalPoint` of the file; needs `w` and `h`. */
      fit?: 'inside' | 'cover' | undefined;
      /** `auto`: AVIF or WebP for those who list it in `Accept`, otherwise PNG for a picture with transparency and JPEG for others. Needs `w` or `h`. */
      format?: 'auto' | 'avif' | 'webp' | 'jpeg' | 'png' | undefined;
    };
    body: null;
    result: ReadableStream<Uint8Array>;
    selection: null;
  };
  /** Identify a visitor. */
  identifyVisitor: {
    path: null;
    query: null;
    body: VisitorIdentificationCreate;
    result: VisitorIdentification;
    selection: null;
  };
}

/** How each operation is sent. `hasKey`: it takes an Idempotency-Key. */
export const operations = {
  listSites: { method: 'GET', path: '/v1/sites', sends: null, returns: 'json', hasKey: false },
  createSite: { method: 'POST', path: '/v1/sites', sends: 'application/json', returns: 'json', hasKey: true },
  upsertSite: { method: 'PUT', path: '/v1/sites', sends: 'application/json', returns: 'json', hasKey: true },
  getSite: { method: 'GET', path: '/v1/sites/{id}', sends: null, returns: 'json', hasKey: false },
  updateSite: { method: 'PATCH', path: '/v1/sites/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteSite: { method: 'DELETE', path: '/v1/sites/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchSites: { method: 'GET', path: '/v1/sites/search', sends: null, returns: 'json', hasKey: false },
  batchSites: { method: 'POST', path: '/v1/sites/batch', sends: 'application/json', returns: 'json', hasKey: true },
  listSiteHistory: { method: 'GET', path: '/v1/sites/{id}/history', sends: null, returns: 'json', hasKey: false },
  getSiteAsOf: { method: 'GET', path: '/v1/sites/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  listCategories: { method: 'GET', path: '/v1/sites/{siteId}/categories', sends: null, returns: 'json', hasKey: false },
  createCategory: { method: 'POST', path: '/v1/sites/{siteId}/categories', sends: 'application/json', returns: 'json', hasKey: true },
  upsertCategory: { method: 'PUT', path: '/v1/sites/{siteId}/categories', sends: 'application/json', returns: 'json', hasKey: true },
  getCategory: { method: 'GET', path: '/v1/sites/{siteId}/categories/{id}', sends: null, returns: 'json', hasKey: false },
  updateCategory: { method: 'PATCH', path: '/v1/sites/{siteId}/categories/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteCategory: { method: 'DELETE', path: '/v1/sites/{siteId}/categories/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchCategories: { method: 'GET', path: '/v1/sites/{siteId}/categories/search', sends: null, returns: 'json', hasKey: false },
  batchCategories: { method: 'POST', path: '/v1/sites/{siteId}/categories/batch', sends: 'application/json', returns: 'json', hasKey: true },
  listCategoryHistory: { method: 'GET', path: '/v1/sites/{siteId}/categories/{id}/history', sends: null, returns: 'json', hasKey: false },
  getCategoryAsOf: { method: 'GET', path: '/v1/sites/{siteId}/categories/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  listTags: { method: 'GET', path: '/v1/sites/{siteId}/tags', sends: null, returns: 'json', hasKey: false },
  createTag: { method: 'POST', path: '/v1/sites/{siteId}/tags', sends: 'application/json', returns: 'json', hasKey: true },
  upsertTag: { method: 'PUT', path: '/v1/sites/{siteId}/tags', sends: 'application/json', returns: 'json', hasKey: true },
  getTag: { method: 'GET', path: '/v1/sites/{siteId}/tags/{id}', sends: null, returns: 'json', hasKey: false },
  updateTag: { method: 'PATCH', path: '/v1/sites/{siteId}/tags/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteTag: { method: 'DELETE', path: '/v1/sites/{siteId}/tags/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchTags: { method: 'GET', path: '/v1/sites/{siteId}/tags/search', sends: null, returns: 'json', hasKey: false },
  batchTags: { method: 'POST', path: '/v1/sites/{siteId}/tags/batch', sends: 'application/json', returns: 'json', hasKey: true },
  listTagHistory: { method: 'GET', path: '/v1/sites/{siteId}/tags/{id}/history', sends: null, returns: 'json', hasKey: false },
  getTagAsOf: { method: 'GET', path: '/v1/sites/{siteId}/tags/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  listKnowledgeFiles: { method: 'GET', path: '/v1/knowledge-files', sends: null, returns: 'json', hasKey: false },
  createKnowledgeFile: { method: 'POST', path: '/v1/knowledge-files', sends: 'application/json', returns: 'json', hasKey: true },
  getKnowledgeFile: { method: 'GET', path: '/v1/knowledge-files/{id}', sends: null, returns: 'json', hasKey: false },
  updateKnowledgeFile: { method: 'PATCH', path: '/v1/knowledge-files/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteKnowledgeFile: { method: 'DELETE', path: '/v1/knowledge-files/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchKnowledgeFiles: { method: 'GET', path: '/v1/knowledge-files/search', sends: null, returns: 'json', hasKey: false },
  putKnowledgeFileContent: { method: 'PUT', path: '/v1/knowledge-files/{id}/content', sends: 'application/octet-stream', returns: 'json', hasKey: true },
  getKnowledgeFileContent: { method: 'GET', path: '/v1/knowledge-files/{id}/content', sends: null, returns: 'bytes', hasKey: false },
  getKnowledgeFileThumbnail: { method: 'GET', path: '/v1/knowledge-files/{id}/thumbnail', sends: null, returns: 'bytes', hasKey: false },
  getKnowledgeFileUsage: { method: 'GET', path: '/v1/knowledge-files/{id}/usage', sends: null, returns: 'json', hasKey: false },
  extractKnowledgeFileText: { method: 'POST', path: '/v1/knowledge-files/{id}/extract', sends: null, returns: 'json', hasKey: true },
  publishKnowledgeFilePicture: { method: 'POST', path: '/v1/knowledge-files/{id}/publish-picture', sends: null, returns: 'json', hasKey: true },
  unpublishKnowledgeFilePicture: { method: 'POST', path: '/v1/knowledge-files/{id}/unpublish-picture', sends: null, returns: 'json', hasKey: true },
  batchKnowledgeFiles: { method: 'POST', path: '/v1/knowledge-files/batch', sends: 'application/json', returns: 'json', hasKey: true },
  countKnowledgeFiles: { method: 'GET', path: '/v1/knowledge-files/counts', sends: null, returns: 'json', hasKey: false },
  listKnowledgeFileHistory: { method: 'GET', path: '/v1/knowledge-files/{id}/history', sends: null, returns: 'json', hasKey: false },
  getKnowledgeFileAsOf: { method: 'GET', path: '/v1/knowledge-files/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  listArticles: { method: 'GET', path: '/v1/sites/{siteId}/articles', sends: null, returns: 'json', hasKey: false },
  createArticle: { method: 'POST', path: '/v1/sites/{siteId}/articles', sends: 'application/json', returns: 'json', hasKey: true },
  upsertArticle: { method: 'PUT', path: '/v1/sites/{siteId}/articles', sends: 'application/json', returns: 'json', hasKey: true },
  getArticle: { method: 'GET', path: '/v1/sites/{siteId}/articles/{id}', sends: null, returns: 'json', hasKey: false },
  updateArticle: { method: 'PATCH', path: '/v1/sites/{siteId}/articles/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteArticle: { method: 'DELETE', path: '/v1/sites/{siteId}/articles/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchArticles: { method: 'GET', path: '/v1/sites/{siteId}/articles/search', sends: null, returns: 'json', hasKey: false },
  getArticleUsage: { method: 'GET', path: '/v1/sites/{siteId}/articles/{id}/usage', sends: null, returns: 'json', hasKey: false },
  listArticleVersions: { method: 'GET', path: '/v1/sites/{siteId}/articles/{id}/versions', sends: null, returns: 'json', hasKey: false },
  getArticleVersion: { method: 'GET', path: '/v1/sites/{siteId}/articles/{id}/versions/{number}', sends: null, returns: 'json', hasKey: false },
  compareArticleVersions: { method: 'GET', path: '/v1/sites/{siteId}/articles/{id}/versions/{number}/diff', sends: null, returns: 'json', hasKey: false },
  restoreArticleVersion: { method: 'POST', path: '/v1/sites/{siteId}/articles/{id}/versions/{number}/restore', sends: null, returns: 'json', hasKey: true },
  batchArticles: { method: 'POST', path: '/v1/sites/{siteId}/articles/batch', sends: 'application/json', returns: 'json', hasKey: true },
  countArticles: { method: 'GET', path: '/v1/sites/{siteId}/articles/counts', sends: null, returns: 'json', hasKey: false },
  listArticleHistory: { method: 'GET', path: '/v1/sites/{siteId}/articles/{id}/history', sends: null, returns: 'json', hasKey: false },
  getArticleAsOf: { method: 'GET', path: '/v1/sites/{siteId}/articles/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  listBooks: { method: 'GET', path: '/v1/books', sends: null, returns: 'json', hasKey: false },
  createBook: { method: 'POST', path: '/v1/books', sends: 'application/json', returns: 'json', hasKey: true },
  upsertBook: { method: 'PUT', path: '/v1/books', sends: 'application/json', returns: 'json', hasKey: true },
  getBook: { method: 'GET', path: '/v1/books/{id}', sends: null, returns: 'json', hasKey: false },
  updateBook: { method: 'PATCH', path: '/v1/books/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteBook: { method: 'DELETE', path: '/v1/books/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchBooks: { method: 'GET', path: '/v1/books/search', sends: null, returns: 'json', hasKey: false },
  batchBooks: { method: 'POST', path: '/v1/books/batch', sends: 'application/json', returns: 'json', hasKey: true },
  countBooks: { method: 'GET', path: '/v1/books/counts', sends: null, returns: 'json', hasKey: false },
  listBookHistory: { method: 'GET', path: '/v1/books/{id}/history', sends: null, returns: 'json', hasKey: false },
  getBookAsOf: { method: 'GET', path: '/v1/books/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  listMagazines: { method: 'GET', path: '/v1/magazines', sends: null, returns: 'json', hasKey: false },
  createMagazine: { method: 'POST', path: '/v1/magazines', sends: 'application/json', returns: 'json', hasKey: true },
  upsertMagazine: { method: 'PUT', path: '/v1/magazines', sends: 'application/json', returns: 'json', hasKey: true },
  getMagazine: { method: 'GET', path: '/v1/magazines/{id}', sends: null, returns: 'json', hasKey: false },
  updateMagazine: { method: 'PATCH', path: '/v1/magazines/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteMagazine: { method: 'DELETE', path: '/v1/magazines/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchMagazines: { method: 'GET', path: '/v1/magazines/search', sends: null, returns: 'json', hasKey: false },
  batchMagazines: { method: 'POST', path: '/v1/magazines/batch', sends: 'application/json', returns: 'json', hasKey: true },
  countMagazines: { method: 'GET', path: '/v1/magazines/counts', sends: null, returns: 'json', hasKey: false },
  listMagazineHistory: { method: 'GET', path: '/v1/magazines/{id}/history', sends: null, returns: 'json', hasKey: false },
  getMagazineAsOf: { method: 'GET', path: '/v1/magazines/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  listIssues: { method: 'GET', path: '/v1/magazines/{magazineId}/issues', sends: null, returns: 'json', hasKey: false },
  createIssue: { method: 'POST', path: '/v1/magazines/{magazineId}/issues', sends: 'application/json', returns: 'json', hasKey: true },
  upsertIssue: { method: 'PUT', path: '/v1/magazines/{magazineId}/issues', sends: 'application/json', returns: 'json', hasKey: true },
  getIssue: { method: 'GET', path: '/v1/magazines/{magazineId}/issues/{id}', sends: null, returns: 'json', hasKey: false },
  updateIssue: { method: 'PATCH', path: '/v1/magazines/{magazineId}/issues/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteIssue: { method: 'DELETE', path: '/v1/magazines/{magazineId}/issues/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchIssues: { method: 'GET', path: '/v1/magazines/{magazineId}/issues/search', sends: null, returns: 'json', hasKey: false },
  batchIssues: { method: 'POST', path: '/v1/magazines/{magazineId}/issues/batch', sends: 'application/json', returns: 'json', hasKey: true },
  countIssues: { method: 'GET', path: '/v1/magazines/{magazineId}/issues/counts', sends: null, returns: 'json', hasKey: false },
  listIssueHistory: { method: 'GET', path: '/v1/magazines/{magazineId}/issues/{id}/history', sends: null, returns: 'json', hasKey: false },
  getIssueAsOf: { method: 'GET', path: '/v1/magazines/{magazineId}/issues/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  listContacts: { method: 'GET', path: '/v1/crm/contacts', sends: null, returns: 'json', hasKey: false },
  createContact: { method: 'POST', path: '/v1/crm/contacts', sends: 'application/json', returns: 'json', hasKey: true },
  upsertContact: { method: 'PUT', path: '/v1/crm/contacts', sends: 'application/json', returns: 'json', hasKey: true },
  getContact: { method: 'GET', path: '/v1/crm/contacts/{id}', sends: null, returns: 'json', hasKey: false },
  updateContact: { method: 'PATCH', path: '/v1/crm/contacts/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteContact: { method: 'DELETE', path: '/v1/crm/contacts/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchContacts: { method: 'GET', path: '/v1/crm/contacts/search', sends: null, returns: 'json', hasKey: false },
  batchContacts: { method: 'POST', path: '/v1/crm/contacts/batch', sends: 'application/json', returns: 'json', hasKey: true },
  countContacts: { method: 'GET', path: '/v1/crm/contacts/counts', sends: null, returns: 'json', hasKey: false },
  listContactHistory: { method: 'GET', path: '/v1/crm/contacts/{id}/history', sends: null, returns: 'json', hasKey: false },
  getContactAsOf: { method: 'GET', path: '/v1/crm/contacts/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  listCompanies: { method: 'GET', path: '/v1/crm/companies', sends: null, returns: 'json', hasKey: false },
  createCompany: { method: 'POST', path: '/v1/crm/companies', sends: 'application/json', returns: 'json', hasKey: true },
  upsertCompany: { method: 'PUT', path: '/v1/crm/companies', sends: 'application/json', returns: 'json', hasKey: true },
  getCompany: { method: 'GET', path: '/v1/crm/companies/{id}', sends: null, returns: 'json', hasKey: false },
  updateCompany: { method: 'PATCH', path: '/v1/crm/companies/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteCompany: { method: 'DELETE', path: '/v1/crm/companies/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchCompanies: { method: 'GET', path: '/v1/crm/companies/search', sends: null, returns: 'json', hasKey: false },
  batchCompanies: { method: 'POST', path: '/v1/crm/companies/batch', sends: 'application/json', returns: 'json', hasKey: true },
  countCompanies: { method: 'GET', path: '/v1/crm/companies/counts', sends: null, returns: 'json', hasKey: false },
  listCompanyHistory: { method: 'GET', path: '/v1/crm/companies/{id}/history', sends: null, returns: 'json', hasKey: false },
  getCompanyAsOf: { method: 'GET', path: '/v1/crm/companies/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  listWebhookEndpoints: { method: 'GET', path: '/v1/webhook-endpoints', sends: null, returns: 'json', hasKey: false },
  createWebhookEndpoint: { method: 'POST', path: '/v1/webhook-endpoints', sends: 'application/json', returns: 'json', hasKey: true },
  getWebhookEndpoint: { method: 'GET', path: '/v1/webhook-endpoints/{id}', sends: null, returns: 'json', hasKey: false },
  updateWebhookEndpoint: { method: 'PATCH', path: '/v1/webhook-endpoints/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/v1/webhook-endpoints/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchWebhookEndpoints: { method: 'GET', path: '/v1/webhook-endpoints/search', sends: null, returns: 'json', hasKey: false },
  rotateWebhookEndpointSecret: { method: 'POST', path: '/v1/webhook-endpoints/{id}/rotate-secret', sends: null, returns: 'json', hasKey: true },
  testWebhookEndpoint: { method: 'POST', path: '/v1/webhook-endpoints/{id}/test', sends: null, returns: 'json', hasKey: true },
  retryWebhookDelivery: { method: 'POST', path: '/v1/webhook-endpoints/{id}/deliveries/{deliveryId}/retry', sends: null, returns: 'json', hasKey: true },
  replayWebhookEvents: { method: 'POST', path: '/v1/webhook-endpoints/{id}/replay', sends: 'application/json', returns: 'json', hasKey: true },
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhook-endpoints/{id}/deliveries', sends: null, returns: 'json', hasKey: false },
  countWebhookEndpoints: { method: 'GET', path: '/v1/webhook-endpoints/counts', sends: null, returns: 'json', hasKey: false },
  listWebhookEndpointHistory: { method: 'GET', path: '/v1/webhook-endpoints/{id}/history', sends: null, returns: 'json', hasKey: false },
  getWebhookEndpointAsOf: { method: 'GET', path: '/v1/webhook-endpoints/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  getOrganization: { method: 'GET', path: '/v1/organization', sends: null, returns: 'json', hasKey: false },
  updateOrganization: { method: 'PATCH', path: '/v1/organization', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  listOrganizationHistory: { method: 'GET', path: '/v1/organization/history', sends: null, returns: 'json', hasKey: false },
  getOrganizationAsOf: { method: 'GET', path: '/v1/organization/history/{version}', sends: null, returns: 'json', hasKey: false },
  listRoles: { method: 'GET', path: '/v1/roles', sends: null, returns: 'json', hasKey: false },
  createRole: { method: 'POST', path: '/v1/roles', sends: 'application/json', returns: 'json', hasKey: true },
  getRole: { method: 'GET', path: '/v1/roles/{id}', sends: null, returns: 'json', hasKey: false },
  updateRole: { method: 'PATCH', path: '/v1/roles/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteRole: { method: 'DELETE', path: '/v1/roles/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchRoles: { method: 'GET', path: '/v1/roles/search', sends: null, returns: 'json', hasKey: false },
  listRoleHistory: { method: 'GET', path: '/v1/roles/{id}/history', sends: null, returns: 'json', hasKey: false },
  getRoleAsOf: { method: 'GET', path: '/v1/roles/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  listMembers: { method: 'GET', path: '/v1/members', sends: null, returns: 'json', hasKey: false },
  createMember: { method: 'POST', path: '/v1/members', sends: 'application/json', returns: 'json', hasKey: true },
  getMember: { method: 'GET', path: '/v1/members/{id}', sends: null, returns: 'json', hasKey: false },
  updateMember: { method: 'PATCH', path: '/v1/members/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteMember: { method: 'DELETE', path: '/v1/members/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchMembers: { method: 'GET', path: '/v1/members/search', sends: null, returns: 'json', hasKey: false },
  countMembers: { method: 'GET', path: '/v1/members/counts', sends: null, returns: 'json', hasKey: false },
  listInvitations: { method: 'GET', path: '/v1/invitations', sends: null, returns: 'json', hasKey: false },
  createInvitation: { method: 'POST', path: '/v1/invitations', sends: 'application/json', returns: 'json', hasKey: true },
  getInvitation: { method: 'GET', path: '/v1/invitations/{id}', sends: null, returns: 'json', hasKey: false },
  deleteInvitation: { method: 'DELETE', path: '/v1/invitations/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchInvitations: { method: 'GET', path: '/v1/invitations/search', sends: null, returns: 'json', hasKey: false },
  resendInvitation: { method: 'POST', path: '/v1/invitations/{id}/resend', sends: null, returns: 'json', hasKey: true },
  countInvitations: { method: 'GET', path: '/v1/invitations/counts', sends: null, returns: 'json', hasKey: false },
  listClients: { method: 'GET', path: '/v1/clients', sends: null, returns: 'json', hasKey: false },
  createClient: { method: 'POST', path: '/v1/clients', sends: 'application/json', returns: 'json', hasKey: true },
  getClient: { method: 'GET', path: '/v1/clients/{id}', sends: null, returns: 'json', hasKey: false },
  updateClient: { method: 'PATCH', path: '/v1/clients/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteClient: { method: 'DELETE', path: '/v1/clients/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchClients: { method: 'GET', path: '/v1/clients/search', sends: null, returns: 'json', hasKey: false },
  countClients: { method: 'GET', path: '/v1/clients/counts', sends: null, returns: 'json', hasKey: false },
  listClientHistory: { method: 'GET', path: '/v1/clients/{id}/history', sends: null, returns: 'json', hasKey: false },
  getClientAsOf: { method: 'GET', path: '/v1/clients/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  listTokens: { method: 'GET', path: '/v1/tokens', sends: null, returns: 'json', hasKey: false },
  createToken: { method: 'POST', path: '/v1/tokens', sends: 'application/json', returns: 'json', hasKey: true },
  getToken: { method: 'GET', path: '/v1/tokens/{id}', sends: null, returns: 'json', hasKey: false },
  updateToken: { method: 'PATCH', path: '/v1/tokens/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteToken: { method: 'DELETE', path: '/v1/tokens/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchTokens: { method: 'GET', path: '/v1/tokens/search', sends: null, returns: 'json', hasKey: false },
  rotateToken: { method: 'POST', path: '/v1/tokens/{id}/rotate', sends: 'application/json', returns: 'json', hasKey: true },
  listViews: { method: 'GET', path: '/v1/views', sends: null, returns: 'json', hasKey: false },
  createView: { method: 'POST', path: '/v1/views', sends: 'application/json', returns: 'json', hasKey: true },
  getView: { method: 'GET', path: '/v1/views/{id}', sends: null, returns: 'json', hasKey: false },
  updateView: { method: 'PATCH', path: '/v1/views/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteView: { method: 'DELETE', path: '/v1/views/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchViews: { method: 'GET', path: '/v1/views/search', sends: null, returns: 'json', hasKey: false },
  batchViews: { method: 'POST', path: '/v1/views/batch', sends: 'application/json', returns: 'json', hasKey: true },
  countViews: { method: 'GET', path: '/v1/views/counts', sends: null, returns: 'json', hasKey: false },
  listViewHistory: { method: 'GET', path: '/v1/views/{id}/history', sends: null, returns: 'json', hasKey: false },
  getViewAsOf: { method: 'GET', path: '/v1/views/{id}/history/{version}', sends: null, returns: 'json', hasKey: false },
  getMe: { method: 'GET', path: '/v1/me', sends: null, returns: 'json', hasKey: false },
  listSessions: { method: 'GET', path: '/v1/sessions', sends: null, returns: 'json', hasKey: false },
  getSession: { method: 'GET', path: '/v1/sessions/{id}', sends: null, returns: 'json', hasKey: false },
  deleteSession: { method: 'DELETE', path: '/v1/sessions/{id}', sends: null, returns: 'nothing', hasKey: true },
  listVisitors: { method: 'GET', path: '/v1/visitors', sends: null, returns: 'json', hasKey: false },
  countVisits: { method: 'GET', path: '/v1/visitors/counts', sends: null, returns: 'json', hasKey: false },
  getVisitor: { method: 'GET', path: '/v1/visitors/{visitorId}', sends: null, returns: 'json', hasKey: false },
  deleteVisitor: { method: 'DELETE', path: '/v1/visitors/{visitorId}', sends: null, returns: 'nothing', hasKey: true },
  getVisitorLookupChangelog: { method: 'GET', path: '/v1/changelogs/visitor-lookup', sends: null, returns: 'json', hasKey: false },
  listEvents: { method: 'GET', path: '/v1/events', sends: null, returns: 'json', hasKey: false },
  streamEvents: { method: 'GET', path: '/v1/events/stream', sends: null, returns: 'bytes', hasKey: false },
  getActivity: { method: 'GET', path: '/v1/activity', sends: null, returns: 'json', hasKey: false },
  getWaiting: { method: 'GET', path: '/v1/waiting', sends: null, returns: 'json', hasKey: false },
  listTrash: { method: 'GET', path: '/v1/trash', sends: null, returns: 'json', hasKey: false },
  restoreFromTrash: { method: 'POST', path: '/v1/trash/{id}/restore', sends: null, returns: 'json', hasKey: true },
  purgeFromTrash: { method: 'DELETE', path: '/v1/trash/{id}', sends: null, returns: 'nothing', hasKey: true },
  getOpenApi: { method: 'GET', path: '/v1/openapi', sends: null, returns: 'json', hasKey: false },
  getAsyncApi: { method: 'GET', path: '/v1/asyncapi', sends: null, returns: 'json', hasKey: false },
  getPicture: { method: 'GET', path: '/pictures/{organization}/{file}/{content}', sends: null, returns: 'bytes', hasKey: false },
  identifyVisitor: { method: 'POST', path: '/v1/visitors/identify', sends: 'application/json', returns: 'json', hasKey: false },
} as const satisfies Record<keyof Operations, OperationRow>;

/** A row of the list. */
export interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the origin, with parameters in braces. */
  readonly path: string;
  /** Media type of the body; null without one. */
  readonly sends: string | null;
  /** What a successful response contains. */
  readonly returns: 'json' | 'bytes' | 'nothing';
  readonly hasKey: boolean;
}

/** The codes of problems, from the catalogue at /docs/errors. */
export const problemCodes = [
  'malformed_request',
  'malformed_json',
  'malformed_form',
  'digest_mismatch',
  'invalid_parameter',
  'unknown_parameter',
  'cursor_invalid',
  'cursor_mismatch',
  'idempotency_key_required',
  'idempotency_key_invalid',
  'invalid_header',
  'token_missing',
  'token_invalid',
  'sign_in_failed',
  'session_invalid',
  'insufficient_user_authentication',
  'cross_site_request',
  'wrong_user',
  'insufficient_scope',
  'module_disabled',
  'permission_denied',
  'organization_suspended',
  'origin_not_allowed',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'idempotency_in_progress',
  'conflict',
  'ambiguous_match',
  'reference_gone',
  'invalid_transition',
  'in_use',
  'last_owner',
  'last_console',
  'quota_reached',
  'link_invalid',
  'challenge_invalid',
  'version_mismatch',
  'body_too_large',
  'range_not_satisfiable',
  'unsupported_media_type',
  'validation_failed',
  'unknown_field',
  'empty_patch',
  'reference_not_found',
  'idempotency_key_reused',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'expectation_failed',
  'unsupported_transfer_coding',
  'overloaded',
  'external_unavailable',
  'storage_unavailable',
  'database_unavailable',
] as const;
