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
  FileUsage,
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
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** The site with this key. */
      key?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
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
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in stored responses or in events. */
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
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `description`, only words match. */
      search?: string | undefined;
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** The category with this slug. */
      slug?: string | undefined;
      /** Categories directly below this one. */
      parentId?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in stored responses or in events. */
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
    };
    body: null;
    result: CategorySearchResults;
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
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** The tag with this slug. */
      slug?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in stored responses or in events. */
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
    };
    body: null;
    result: TagSearchResults;
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
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `description`, `alternativeText`, only words match. */
      search?: string | undefined;
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** Status of the content. */
      status?: 'PENDING_UPLOAD' | 'PROCESSING' | 'READY' | 'NOT_APPLICABLE' | 'FAILED' | undefined;
      /** Who may see it. */
      visibility?: 'PRIVATE' | 'RESTRICTED' | 'ORGANIZATION' | undefined;
      /** Only pictures (JPEG, PNG, WebP, GIF, AVIF, TIFF), or only other files. */
      picture?: boolean | undefined;
      /** Files that this member owns. */
      ownerUserId?: string | undefined;
      /** Files with this label. */
      tag?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
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
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in stored responses or in events. */
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
    result: FileUsage;
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
  /** Count knowledge files. */
  countKnowledgeFiles: {
    path: null;
    query: {
      /** The filter whose values are counted: `status` or `visibility`. */
      by: 'status' | 'visibility';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `description`, `alternativeText`, only words match. */
      search?: string | undefined;
      /** Status of the content. */
      status?: 'PENDING_UPLOAD' | 'PROCESSING' | 'READY' | 'NOT_APPLICABLE' | 'FAILED' | undefined;
      /** Who may see it. */
      visibility?: 'PRIVATE' | 'RESTRICTED' | 'ORGANIZATION' | undefined;
      /** Only pictures (JPEG, PNG, WebP, GIF, AVIF, TIFF), or only other files. */
      picture?: boolean | undefined;
      /** Files that this member owns. */
      ownerUserId?: string | undefined;
      /** Files with this label. */
      tag?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
    };
    body: null;
    result: Counts;
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
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `versionData.summary`, `versionData.body`, only words match. */
      search?: string | undefined;
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'title' | '-title' | '-firstPublishedAt' | 'firstPublishedAt' | undefined;
      /** Status of the working version. */
      status?: 'DRAFT' | 'IN_REVIEW' | 'APPROVED' | 'SCHEDULED' | 'PUBLISHED' | 'UNPUBLISHED' | 'SUPERSEDED' | 'ARCHIVED' | undefined;
      /** Derived state. */
      state?: 'UNPUBLISHED' | 'PUBLISHED' | 'CHANGED' | 'ARCHIVED' | undefined;
      /** Articles in this category. */
      categoryId?: string | undefined;
      /** Articles with this tag. */
      tagId?: string | undefined;
      /** The article with this slug. */
      slug?: string | undefined;
      /** Language of the working version. */
      locale?: string | undefined;
      /** Only featured articles, or only others. */
      featured?: boolean | undefined;
      /** Published for the first time at or after this instant. Records without the value are not found. */
      'firstPublishedAt[gte]'?: string | undefined;
      /** Published for the first time after this instant. Records without the value are not found. */
      'firstPublishedAt[gt]'?: string | undefined;
      /** Published for the first time at or before this instant. Records without the value are not found. */
      'firstPublishedAt[lte]'?: string | undefined;
      /** Published for the first time before this instant. Records without the value are not found. */
      'firstPublishedAt[lt]'?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Which versions to return: the working versions, or the published versions (only articles that have one). With `published`, filters, order and search use the published versions only, `state` is PUBLISHED, and `updatedAt` is when the published content last changed. */
      perspective?: 'working' | 'published' | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in stored responses or in events. */
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
    };
    body: null;
    result: ArticleSearchResults;
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
  /** Count articles. */
  countArticles: {
    path: {
      /** Id of the site it belongs to. */
      siteId: string;
    };
    query: {
      /** The filter whose values are counted: `status` or `state`. */
      by: 'status' | 'state';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `versionData.summary`, `versionData.body`, only words match. */
      search?: string | undefined;
      /** Status of the working version. */
      status?: 'DRAFT' | 'IN_REVIEW' | 'APPROVED' | 'SCHEDULED' | 'PUBLISHED' | 'UNPUBLISHED' | 'SUPERSEDED' | 'ARCHIVED' | undefined;
      /** Derived state. */
      state?: 'UNPUBLISHED' | 'PUBLISHED' | 'CHANGED' | 'ARCHIVED' | undefined;
      /** Articles in this category. */
      categoryId?: string | undefined;
      /** Articles with this tag. */
      tagId?: string | undefined;
      /** The article with this slug. */
      slug?: string | undefined;
      /** Language of the working version. */
      locale?: string | undefined;
      /** Only featured articles, or only others. */
      featured?: boolean | undefined;
      /** Published for the first time at or after this instant. Records without the value are not found. */
      'firstPublishedAt[gte]'?: string | undefined;
      /** Published for the first time after this instant. Records without the value are not found. */
      'firstPublishedAt[gt]'?: string | undefined;
      /** Published for the first time at or before this instant. Records without the value are not found. */
      'firstPublishedAt[lte]'?: string | undefined;
      /** Published for the first time before this instant. Records without the value are not found. */
      'firstPublishedAt[lt]'?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
    };
    body: null;
    result: Counts;
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
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `description`, only words match. */
      search?: string | undefined;
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'title' | '-title' | undefined;
      /** Status in the catalogue. */
      status?: 'DRAFT' | 'PUBLISHED' | 'UNPUBLISHED' | 'ARCHIVED' | undefined;
      /** Whether it can be bought. */
      tradeStatus?: 'FORTHCOMING' | 'POSTPONED' | 'ACTIVE' | 'OUT_OF_STOCK' | 'OUT_OF_PRINT' | 'WITHDRAWN' | 'CANCELLED' | undefined;
      /** Language. */
      language?: string | undefined;
      /** The book with this ISBN; hyphens are accepted. */
      isbn13?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
  /** Read a book. */
  getBook: {
    path: {
      /** Id of the book. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in stored responses or in events. */
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
    };
    body: null;
    result: BookSearchResults;
    selection: null;
  };
  /** Count books. */
  countBooks: {
    path: null;
    query: {
      /** The filter whose values are counted: `status` or `tradeStatus`. */
      by: 'status' | 'tradeStatus';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `description`, only words match. */
      search?: string | undefined;
      /** Status in the catalogue. */
      status?: 'DRAFT' | 'PUBLISHED' | 'UNPUBLISHED' | 'ARCHIVED' | undefined;
      /** Whether it can be bought. */
      tradeStatus?: 'FORTHCOMING' | 'POSTPONED' | 'ACTIVE' | 'OUT_OF_STOCK' | 'OUT_OF_PRINT' | 'WITHDRAWN' | 'CANCELLED' | undefined;
      /** Language. */
      language?: string | undefined;
      /** The book with this ISBN; hyphens are accepted. */
      isbn13?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
    };
    body: null;
    result: Counts;
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
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `description`, only words match. */
      search?: string | undefined;
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'title' | '-title' | undefined;
      /** Status of the publication. */
      status?: 'PLANNED' | 'ACTIVE' | 'SUSPENDED' | 'CEASED' | undefined;
      /** Language. */
      language?: string | undefined;
      /** The magazine with this ISSN, in print or online. */
      issn?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
  /** Read a magazine. */
  getMagazine: {
    path: {
      /** Id of the magazine. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in stored responses or in events. */
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
    };
    body: null;
    result: MagazineSearchResults;
    selection: null;
  };
  /** Count magazines. */
  countMagazines: {
    path: null;
    query: {
      /** The filter whose values are counted: `status`. */
      by: 'status';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `description`, only words match. */
      search?: string | undefined;
      /** Status of the publication. */
      status?: 'PLANNED' | 'ACTIVE' | 'SUSPENDED' | 'CEASED' | undefined;
      /** Language. */
      language?: string | undefined;
      /** The magazine with this ISSN, in print or online. */
      issn?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
    };
    body: null;
    result: Counts;
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
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'title' | '-title' | undefined;
      /** Status. */
      status?: 'PLANNED' | 'IN_PRODUCTION' | 'PUBLISHED' | 'ARCHIVED' | undefined;
      /** Year. */
      year?: number | undefined;
      /** Volume, as printed. */
      volume?: string | undefined;
      /** Issues that contain this article. */
      articleId?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in stored responses or in events. */
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
    };
    body: null;
    result: IssueSearchResults;
    selection: null;
  };
  /** Count issues. */
  countIssues: {
    path: {
      /** Id of the magazine it belongs to. */
      magazineId: string;
    };
    query: {
      /** The filter whose values are counted: `status`. */
      by: 'status';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Status. */
      status?: 'PLANNED' | 'IN_PRODUCTION' | 'PUBLISHED' | 'ARCHIVED' | undefined;
      /** Year. */
      year?: number | undefined;
      /** Volume, as printed. */
      volume?: string | undefined;
      /** Issues that contain this article. */
      articleId?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
    };
    body: null;
    result: Counts;
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
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'displayName' | '-displayName' | undefined;
      /** Contacts that this member owns. */
      ownerUserId?: string | undefined;
      /** Contacts of this company. */
      companyId?: string | undefined;
      /** Contacts with this label. */
      tag?: string | undefined;
      /** Lifecycle stage. */
      lifecycleStage?: 'SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER' | undefined;
      /** Status of the lead. */
      leadStatus?: 'NEW' | 'OPEN' | 'IN_PROGRESS' | 'UNQUALIFIED' | 'CONVERTED' | undefined;
      /** The contact with this e-mail address. */
      email?: string | undefined;
      /** Contacts with this phone number, in any notation. */
      phone?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
  /** Read a contact. */
  getContact: {
    path: {
      /** Id of the contact. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in stored responses or in events. */
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
    };
    body: null;
    result: ContactSearchResults;
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
      ownerUserId?: string | undefined;
      /** Contacts of this company. */
      companyId?: string | undefined;
      /** Contacts with this label. */
      tag?: string | undefined;
      /** Lifecycle stage. */
      lifecycleStage?: 'SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER' | undefined;
      /** Status of the lead. */
      leadStatus?: 'NEW' | 'OPEN' | 'IN_PROGRESS' | 'UNQUALIFIED' | 'CONVERTED' | undefined;
      /** The contact with this e-mail address. */
      email?: string | undefined;
      /** Contacts with this phone number, in any notation. */
      phone?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
    };
    body: null;
    result: Counts;
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
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `description`, only words match. */
      search?: string | undefined;
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** Companies that this member owns. */
      ownerUserId?: string | undefined;
      /** Direct subsidiaries of this company. */
      parentCompanyId?: string | undefined;
      /** Companies with this label. */
      tag?: string | undefined;
      /** Lifecycle stage. */
      lifecycleStage?: 'SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER' | undefined;
      /** The company with this domain. */
      domain?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
  /** Read a company. */
  getCompany: {
    path: {
      /** Id of the company. */
      id: string;
    };
    query: {
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
      /** Whether to delete the record for good at once, as laws on personal data may require. Nothing of it stays: not in the trash, in stored responses or in events. */
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
    };
    body: null;
    result: CompanySearchResults;
    selection: null;
  };
  /** Count companies. */
  countCompanies: {
    path: null;
    query: {
      /** The filter whose values are counted: `lifecycleStage`. */
      by: 'lifecycleStage';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `description`, only words match. */
      search?: string | undefined;
      /** Companies that this member owns. */
      ownerUserId?: string | undefined;
      /** Direct subsidiaries of this company. */
      parentCompanyId?: string | undefined;
      /** Companies with this label. */
      tag?: string | undefined;
      /** Lifecycle stage. */
      lifecycleStage?: 'SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER' | undefined;
      /** The company with this domain. */
      domain?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
    };
    body: null;
    result: Counts;
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
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `description`, only words match. */
      search?: string | undefined;
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'url' | '-url' | undefined;
      /** Endpoints with this status. */
      status?: 'ENABLED' | 'DISABLED' | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
      /** Return only these members, separated by commas; dots select members of groups, objects and list items. The id is always included. All other members are missing from the records, although the schema of the response, which is that of whole records, has them as required. */
      fields?: string | undefined;
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
  /** Count webhook endpoints. */
  countWebhookEndpoints: {
    path: null;
    query: {
      /** The filter whose values are counted: `status`. */
      by: 'status';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. In `description`, only words match. */
      search?: string | undefined;
      /** Endpoints with this status. */
      status?: 'ENABLED' | 'DISABLED' | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
      /** The record with this externalId. */
      externalId?: string | undefined;
      /** Records that this import has created. */
      importId?: string | undefined;
    };
    body: null;
    result: Counts;
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
      /** Order of the list; a minus sign reverses it. */
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
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** Members of this kind. */
      kind?: 'PERSON' | 'SERVICE' | undefined;
      /** The service members that this person is responsible for. */
      responsibleUserId?: string | undefined;
      /** Members with this role. */
      roleId?: string | undefined;
      /** Members with this status. */
      status?: 'ACTIVE' | 'DISABLED' | undefined;
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
      kind?: 'PERSON' | 'SERVICE' | undefined;
      /** The service members that this person is responsible for. */
      responsibleUserId?: string | undefined;
      /** Members with this role. */
      roleId?: string | undefined;
      /** Members with this status. */
      status?: 'ACTIVE' | 'DISABLED' | undefined;
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
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'email' | '-email' | undefined;
      /** Invitations with this status. */
      status?: 'PENDING' | 'ACCEPTED' | 'REVOKED' | 'EXPIRED' | undefined;
      /** Invitations to this role. */
      roleId?: string | undefined;
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
      status?: 'PENDING' | 'ACCEPTED' | 'REVOKED' | 'EXPIRED' | undefined;
      /** Invitations to this role. */
      roleId?: string | undefined;
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
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** Clients of this kind. */
      kind?: 'SERVER' | 'CONSOLE' | 'CLI' | 'BROWSER' | undefined;
      /** Clients with this status. */
      status?: 'ACTIVE' | 'DISABLED' | undefined;
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
      kind?: 'SERVER' | 'CONSOLE' | 'CLI' | 'BROWSER' | undefined;
      /** Clients with this status. */
      status?: 'ACTIVE' | 'DISABLED' | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
    };
    body: null;
    result: Counts;
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
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** Tokens of this client. */
      clientId?: string | undefined;
      /** Tokens that act for this user. */
      userId?: string | undefined;
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
      /** Id of the token that is replaced. */
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
      /** Order of the list; a minus sign reverses it. */
      sort?: '-createdAt' | 'createdAt' | '-updatedAt' | 'updatedAt' | 'name' | '-name' | undefined;
      /** Views of the lists of this resource. */
      resource?: 'sites' | 'categories' | 'tags' | 'knowledge-files' | 'articles' | 'books' | 'magazines' | 'issues' | 'contacts' | 'companies' | 'members' | undefined;
      /** Only shared views, or only private ones. */
      shared?: boolean | undefined;
      /** Views that this member created. */
      ownerUserId?: string | undefined;
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
  /** Count views. */
  countViews: {
    path: null;
    query: {
      /** The filter whose values are counted: `resource`. */
      by: 'resource';
      /** Only records with a searchable text that contains this, or texts that have all of its words (the last one also as a prefix), ignoring case and accents. */
      search?: string | undefined;
      /** Views of the lists of this resource. */
      resource?: 'sites' | 'categories' | 'tags' | 'knowledge-files' | 'articles' | 'books' | 'magazines' | 'issues' | 'contacts' | 'companies' | 'members' | undefined;
      /** Only shared views, or only private ones. */
      shared?: boolean | undefined;
      /** Views that this member created. */
      ownerUserId?: string | undefined;
      /** Changed at or after this instant. */
      updatedSince?: string | undefined;
    };
    body: null;
    result: Counts;
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
  /** Identify a visitor. */
  identifyVisitor: {
    path: null;
    query: null;
    body: VisitorIdentificationCreate;
    result: VisitorIdentification;
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
}

/** How each operation is sent. `hasKey`: it takes an Idempotency-Key. */
export const operations = {
  listSites: { method: 'GET', path: '/v1/sites', sends: null, returns: 'json', hasKey: false },
  createSite: { method: 'POST', path: '/v1/sites', sends: 'application/json', returns: 'json', hasKey: true },
  getSite: { method: 'GET', path: '/v1/sites/{id}', sends: null, returns: 'json', hasKey: false },
  updateSite: { method: 'PATCH', path: '/v1/sites/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteSite: { method: 'DELETE', path: '/v1/sites/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchSites: { method: 'GET', path: '/v1/sites/search', sends: null, returns: 'json', hasKey: false },
  listCategories: { method: 'GET', path: '/v1/sites/{siteId}/categories', sends: null, returns: 'json', hasKey: false },
  createCategory: { method: 'POST', path: '/v1/sites/{siteId}/categories', sends: 'application/json', returns: 'json', hasKey: true },
  getCategory: { method: 'GET', path: '/v1/sites/{siteId}/categories/{id}', sends: null, returns: 'json', hasKey: false },
  updateCategory: { method: 'PATCH', path: '/v1/sites/{siteId}/categories/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteCategory: { method: 'DELETE', path: '/v1/sites/{siteId}/categories/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchCategories: { method: 'GET', path: '/v1/sites/{siteId}/categories/search', sends: null, returns: 'json', hasKey: false },
  listTags: { method: 'GET', path: '/v1/sites/{siteId}/tags', sends: null, returns: 'json', hasKey: false },
  createTag: { method: 'POST', path: '/v1/sites/{siteId}/tags', sends: 'application/json', returns: 'json', hasKey: true },
  getTag: { method: 'GET', path: '/v1/sites/{siteId}/tags/{id}', sends: null, returns: 'json', hasKey: false },
  updateTag: { method: 'PATCH', path: '/v1/sites/{siteId}/tags/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteTag: { method: 'DELETE', path: '/v1/sites/{siteId}/tags/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchTags: { method: 'GET', path: '/v1/sites/{siteId}/tags/search', sends: null, returns: 'json', hasKey: false },
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
  countKnowledgeFiles: { method: 'GET', path: '/v1/knowledge-files/counts', sends: null, returns: 'json', hasKey: false },
  listArticles: { method: 'GET', path: '/v1/sites/{siteId}/articles', sends: null, returns: 'json', hasKey: false },
  createArticle: { method: 'POST', path: '/v1/sites/{siteId}/articles', sends: 'application/json', returns: 'json', hasKey: true },
  getArticle: { method: 'GET', path: '/v1/sites/{siteId}/articles/{id}', sends: null, returns: 'json', hasKey: false },
  updateArticle: { method: 'PATCH', path: '/v1/sites/{siteId}/articles/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteArticle: { method: 'DELETE', path: '/v1/sites/{siteId}/articles/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchArticles: { method: 'GET', path: '/v1/sites/{siteId}/articles/search', sends: null, returns: 'json', hasKey: false },
  listArticleVersions: { method: 'GET', path: '/v1/sites/{siteId}/articles/{id}/versions', sends: null, returns: 'json', hasKey: false },
  getArticleVersion: { method: 'GET', path: '/v1/sites/{siteId}/articles/{id}/versions/{number}', sends: null, returns: 'json', hasKey: false },
  compareArticleVersions: { method: 'GET', path: '/v1/sites/{siteId}/articles/{id}/versions/{number}/diff', sends: null, returns: 'json', hasKey: false },
  restoreArticleVersion: { method: 'POST', path: '/v1/sites/{siteId}/articles/{id}/versions/{number}/restore', sends: null, returns: 'json', hasKey: true },
  countArticles: { method: 'GET', path: '/v1/sites/{siteId}/articles/counts', sends: null, returns: 'json', hasKey: false },
  listBooks: { method: 'GET', path: '/v1/books', sends: null, returns: 'json', hasKey: false },
  createBook: { method: 'POST', path: '/v1/books', sends: 'application/json', returns: 'json', hasKey: true },
  getBook: { method: 'GET', path: '/v1/books/{id}', sends: null, returns: 'json', hasKey: false },
  updateBook: { method: 'PATCH', path: '/v1/books/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteBook: { method: 'DELETE', path: '/v1/books/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchBooks: { method: 'GET', path: '/v1/books/search', sends: null, returns: 'json', hasKey: false },
  countBooks: { method: 'GET', path: '/v1/books/counts', sends: null, returns: 'json', hasKey: false },
  listMagazines: { method: 'GET', path: '/v1/magazines', sends: null, returns: 'json', hasKey: false },
  createMagazine: { method: 'POST', path: '/v1/magazines', sends: 'application/json', returns: 'json', hasKey: true },
  getMagazine: { method: 'GET', path: '/v1/magazines/{id}', sends: null, returns: 'json', hasKey: false },
  updateMagazine: { method: 'PATCH', path: '/v1/magazines/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteMagazine: { method: 'DELETE', path: '/v1/magazines/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchMagazines: { method: 'GET', path: '/v1/magazines/search', sends: null, returns: 'json', hasKey: false },
  countMagazines: { method: 'GET', path: '/v1/magazines/counts', sends: null, returns: 'json', hasKey: false },
  listIssues: { method: 'GET', path: '/v1/magazines/{magazineId}/issues', sends: null, returns: 'json', hasKey: false },
  createIssue: { method: 'POST', path: '/v1/magazines/{magazineId}/issues', sends: 'application/json', returns: 'json', hasKey: true },
  getIssue: { method: 'GET', path: '/v1/magazines/{magazineId}/issues/{id}', sends: null, returns: 'json', hasKey: false },
  updateIssue: { method: 'PATCH', path: '/v1/magazines/{magazineId}/issues/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteIssue: { method: 'DELETE', path: '/v1/magazines/{magazineId}/issues/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchIssues: { method: 'GET', path: '/v1/magazines/{magazineId}/issues/search', sends: null, returns: 'json', hasKey: false },
  countIssues: { method: 'GET', path: '/v1/magazines/{magazineId}/issues/counts', sends: null, returns: 'json', hasKey: false },
  listContacts: { method: 'GET', path: '/v1/crm/contacts', sends: null, returns: 'json', hasKey: false },
  createContact: { method: 'POST', path: '/v1/crm/contacts', sends: 'application/json', returns: 'json', hasKey: true },
  getContact: { method: 'GET', path: '/v1/crm/contacts/{id}', sends: null, returns: 'json', hasKey: false },
  updateContact: { method: 'PATCH', path: '/v1/crm/contacts/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteContact: { method: 'DELETE', path: '/v1/crm/contacts/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchContacts: { method: 'GET', path: '/v1/crm/contacts/search', sends: null, returns: 'json', hasKey: false },
  countContacts: { method: 'GET', path: '/v1/crm/contacts/counts', sends: null, returns: 'json', hasKey: false },
  listCompanies: { method: 'GET', path: '/v1/crm/companies', sends: null, returns: 'json', hasKey: false },
  createCompany: { method: 'POST', path: '/v1/crm/companies', sends: 'application/json', returns: 'json', hasKey: true },
  getCompany: { method: 'GET', path: '/v1/crm/companies/{id}', sends: null, returns: 'json', hasKey: false },
  updateCompany: { method: 'PATCH', path: '/v1/crm/companies/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteCompany: { method: 'DELETE', path: '/v1/crm/companies/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchCompanies: { method: 'GET', path: '/v1/crm/companies/search', sends: null, returns: 'json', hasKey: false },
  countCompanies: { method: 'GET', path: '/v1/crm/companies/counts', sends: null, returns: 'json', hasKey: false },
  listWebhookEndpoints: { method: 'GET', path: '/v1/webhook-endpoints', sends: null, returns: 'json', hasKey: false },
  createWebhookEndpoint: { method: 'POST', path: '/v1/webhook-endpoints', sends: 'application/json', returns: 'json', hasKey: true },
  getWebhookEndpoint: { method: 'GET', path: '/v1/webhook-endpoints/{id}', sends: null, returns: 'json', hasKey: false },
  updateWebhookEndpoint: { method: 'PATCH', path: '/v1/webhook-endpoints/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/v1/webhook-endpoints/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchWebhookEndpoints: { method: 'GET', path: '/v1/webhook-endpoints/search', sends: null, returns: 'json', hasKey: false },
  rotateWebhookEndpointSecret: { method: 'POST', path: '/v1/webhook-endpoints/{id}/rotate-secret', sends: null, returns: 'json', hasKey: true },
  testWebhookEndpoint: { method: 'POST', path: '/v1/webhook-endpoints/{id}/test', sends: null, returns: 'json', hasKey: true },
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhook-endpoints/{id}/deliveries', sends: null, returns: 'json', hasKey: false },
  retryWebhookDelivery: { method: 'POST', path: '/v1/webhook-endpoints/{id}/deliveries/{deliveryId}/retry', sends: null, returns: 'json', hasKey: true },
  replayWebhookEvents: { method: 'POST', path: '/v1/webhook-endpoints/{id}/replay', sends: 'application/json', returns: 'json', hasKey: true },
  countWebhookEndpoints: { method: 'GET', path: '/v1/webhook-endpoints/counts', sends: null, returns: 'json', hasKey: false },
  getOrganization: { method: 'GET', path: '/v1/organization', sends: null, returns: 'json', hasKey: false },
  updateOrganization: { method: 'PATCH', path: '/v1/organization', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  listRoles: { method: 'GET', path: '/v1/roles', sends: null, returns: 'json', hasKey: false },
  createRole: { method: 'POST', path: '/v1/roles', sends: 'application/json', returns: 'json', hasKey: true },
  getRole: { method: 'GET', path: '/v1/roles/{id}', sends: null, returns: 'json', hasKey: false },
  updateRole: { method: 'PATCH', path: '/v1/roles/{id}', sends: 'application/merge-patch+json', returns: 'json', hasKey: true },
  deleteRole: { method: 'DELETE', path: '/v1/roles/{id}', sends: null, returns: 'nothing', hasKey: true },
  searchRoles: { method: 'GET', path: '/v1/roles/search', sends: null, returns: 'json', hasKey: false },
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
  countViews: { method: 'GET', path: '/v1/views/counts', sends: null, returns: 'json', hasKey: false },
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
  identifyVisitor: { method: 'POST', path: '/v1/visitors/identify', sends: 'application/json', returns: 'json', hasKey: false },
  getPicture: { method: 'GET', path: '/pictures/{organization}/{file}/{content}', sends: null, returns: 'bytes', hasKey: false },
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
