// Generated from the OpenAPI document by "npm run generate". Do not edit.

// The types of the records and bodies of the API.

/** The members of a record that the parameter `fields` selects; the id is always among them. */
export type Selection<T extends { id: string }> = Pick<T, 'id'> & Selected<T>;

type Selected<T> = T extends readonly (infer Item)[]
  ? readonly Selected<Item>[]
  : T extends object
    ? { [Name in keyof T]?: Selected<T[Name]> }
    : T;

/** A website or channel. Articles, categories and tags belong to one site. */
export type Site = {
  /** Id of the site. */
  id: string;
  /** Display name. */
  name: string;
  /** Short name used in URLs and imports, unique in the organization. */
  key: string;
  /** Default language of articles (BCP 47). */
  defaultLocale: string;
  /** Host names the site is served under. */
  domains: readonly string[];
  /** IANA time zone of the editors. */
  timezone: string;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
};

/** One page of records. */
export type SiteList = {
  /** The page. */
  items: readonly Site[];
  pageInfo: PageInfo;
};

/** A site that matches the search. */
export type SiteSearchResult = {
  /** The resource of the record. */
  type: 'site';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: Site;
};

/** One page of results, best first. */
export type SiteSearchResults = {
  /** The page. */
  items: readonly SiteSearchResult[];
  pageInfo: PageInfo;
};

/** A subject in the tree of one site, at most eight levels deep. */
export type Category = {
  /** Id of the category. */
  id: string;
  /** The site it belongs to. */
  siteId: string;
  /** Display name. */
  name: string;
  /** Part of the URL, unique in the site. Generated from the name when not given. */
  slug: string;
  /** What belongs here. */
  description: string | null;
  /** The category above this one, in the same site. */
  parentId: string | null;
  /** Position among its siblings, ascending. */
  position: number;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
  /** Only where one record is read with `include`: what is referred to. */
  included?: CategoryIncluded;
};

/** What records refer to, by resource: a member for each that `include` names. */
export type CategoryIncluded = {
  /** The sites that the named members refer to and the caller may read, each once, those first that are referred to first. */
  sites?: readonly Site[];
  /** The categories that the named members refer to and the caller may read, each once, those first that are referred to first. */
  categories?: readonly Category[];
  /** Ids that were not looked up, because there would have been too much: read them by `ids`. */
  omitted?: readonly string[];
};

/** One page of records. */
export type CategoryList = {
  /** The page. */
  items: readonly Category[];
  /** Only with `include`: what is referred to. */
  included?: CategoryIncluded;
  pageInfo: PageInfo;
};

/** A category that matches the search. Without `sites:read` there is no `record`. */
export type CategorySearchResult = {
  /** The resource of the record. */
  type: 'category';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record?: Category;
};

/** One page of results, best first. */
export type CategorySearchResults = {
  /** The page. */
  items: readonly CategorySearchResult[];
  /** Only with `include`: what is referred to. */
  included?: CategoryIncluded;
  pageInfo: PageInfo;
};

/** A keyword of one site. */
export type Tag = {
  /** Id of the tag. */
  id: string;
  /** The site it belongs to. */
  siteId: string;
  /** Display name. */
  name: string;
  /** Part of the URL, unique in the site. Generated from the name when not given. */
  slug: string;
  /** Colour of the label, `#rrggbb`; stored in lower case. */
  color: string | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
  /** Only where one record is read with `include`: what is referred to. */
  included?: TagIncluded;
};

/** What records refer to, by resource: a member for each that `include` names. */
export type TagIncluded = {
  /** The sites that the named members refer to and the caller may read, each once, those first that are referred to first. */
  sites?: readonly Site[];
  /** Ids that were not looked up, because there would have been too much: read them by `ids`. */
  omitted?: readonly string[];
};

/** One page of records. */
export type TagList = {
  /** The page. */
  items: readonly Tag[];
  /** Only with `include`: what is referred to. */
  included?: TagIncluded;
  pageInfo: PageInfo;
};

/** A tag that matches the search. Without `sites:read` there is no `record`. */
export type TagSearchResult = {
  /** The resource of the record. */
  type: 'tag';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record?: Tag;
};

/** One page of results, best first. */
export type TagSearchResults = {
  /** The page. */
  items: readonly TagSearchResult[];
  /** Only with `include`: what is referred to. */
  included?: TagIncluded;
  pageInfo: PageInfo;
};

/** A document with searchable text, visible to certain members only. */
export type KnowledgeFile = {
  /** Id of the knowledge file. */
  id: string;
  /** Display name. */
  name: string;
  /** What is in it. */
  description: string | null;
  /** Labels, stored in lower case. */
  tags: readonly string[];
  /** Language (BCP 47). */
  language: string | null;
  /** Where the file comes from. */
  sourceUrl: string | null;
  /** When the file is deleted automatically, with its content. A file that other records refer to is kept until the references are gone. */
  expiresAt: string | null;
  /** PRIVATE: visible to the owner only, not even to administrators. RESTRICTED: also to `allowedUserIds` and `allowedRoles`. ORGANIZATION: to every member. May be changed by the owner, and by an OWNER or ADMIN who can see the file. */
  visibility: 'PRIVATE' | 'RESTRICTED' | 'ORGANIZATION';
  /** Members who may see the file while it is RESTRICTED. */
  allowedUserIds: readonly string[];
  /** Roles whose members may see the file while it is RESTRICTED. */
  allowedRoles: readonly ('OWNER' | 'ADMIN' | 'EDITOR' | 'AUTHOR' | 'VIEWER')[];
  /** The owner; by default the creator. May be changed by the owner, an OWNER or an ADMIN. */
  ownerUserId: string;
  /** What a picture shows, for people who do not see it. */
  alternativeText: string | null;
  /** The point of a picture, as people see it, that renditions with `fit=cover` keep; the center if null. */
  focalPoint: FocalPoint | null;
  /** File name of the uploaded content. */
  fileName: string | null;
  /** Media type of the content, detected from its bytes. */
  mediaType: string | null;
  /** Size of the content. */
  sizeBytes: number | null;
  /** SHA-256 of the content. */
  sha256: string | null;
  /** Pages of a PDF, slides of a presentation; null for other files. */
  pageCount: number | null;
  /** Number of times that content was uploaded. */
  contentVersion: number;
  /** PENDING_UPLOAD: no content yet. PROCESSING: the text is being extracted. READY: the text can be searched; a file without text, such as a scan, has `extractedCharacters` 0. NOT_APPLICABLE: the content is a picture, sound or film, which has no text to extract. FAILED: see `failureReason`; the content can still be downloaded. */
  status: 'PENDING_UPLOAD' | 'PROCESSING' | 'READY' | 'NOT_APPLICABLE' | 'FAILED';
  /** Why no text could be extracted. */
  failureReason: string | null;
  /** Length of the extracted text; 0 for a file that has none. */
  extractedCharacters: number | null;
  /** Width of a picture as people see it, in pixels; null for other files, and until the picture has been read. */
  width: number | null;
  /** Height of a picture as people see it, in pixels; null for other files, and until the picture has been read. */
  height: number | null;
  /** Path of a picture (JPEG, PNG, WebP, GIF, AVIF, TIFF; HEIC if the server has a decoder) below the address of the server. It depends on the content, is known before the picture is made public, and is served without a token while `publicSince` is set; see `GET /pictures/{organization}/{file}/{content}`. */
  picturePath: string | null;
  /** Since when the picture is public; null if it is not. Set by `publish-picture` only; cleared by `unpublish-picture`, by new content, and by a `visibility` other than ORGANIZATION. */
  publicSince: string | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
};

/** One page of records. */
export type KnowledgeFileList = {
  /** The page. */
  items: readonly KnowledgeFile[];
  pageInfo: PageInfo;
};

/** A knowledge file that matches the search. */
export type KnowledgeFileSearchResult = {
  /** The resource of the record. */
  type: 'knowledge-file';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: KnowledgeFile;
};

/** One page of results, best first. */
export type KnowledgeFileSearchResults = {
  /** The page. */
  items: readonly KnowledgeFileSearchResult[];
  pageInfo: PageInfo;
};

/** An article of one site, with versions, review and scheduled publication. */
export type Article = {
  /** Id of the article. */
  id: string;
  /** The site it belongs to. */
  siteId: string;
  /** Fields of the article, which are the same for all its versions. */
  articleData: ArticleData;
  /** Fields of one version. In a record: the working version, or the published one. */
  versionData: VersionData;
  /** Derived from the versions. CHANGED means that a newer version than the published one exists. */
  state: 'UNPUBLISHED' | 'PUBLISHED' | 'CHANGED' | 'ARCHIVED';
  /** The version that readers see. */
  publishedVersionNumber: number | null;
  /** Why the last scheduled transition failed. It is not retried until another time or status is set. */
  scheduleError: string | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
  /** Only where one record is read with `include`: what is referred to. */
  included?: ArticleIncluded;
};

/** What records refer to, by resource: a member for each that `include` names. */
export type ArticleIncluded = {
  /** The sites that the named members refer to and the caller may read, each once, those first that are referred to first. */
  sites?: readonly Site[];
  /** The categories that the named members refer to and the caller may read, each once, those first that are referred to first. */
  categories?: readonly Category[];
  /** The tags that the named members refer to and the caller may read, each once, those first that are referred to first. */
  tags?: readonly Tag[];
  /** The knowledge files that the named members refer to and the caller may read, each once, those first that are referred to first. */
  knowledgeFiles?: readonly KnowledgeFile[];
  /** Ids that were not looked up, because there would have been too much: read them by `ids`. */
  omitted?: readonly string[];
};

/** One page of records. */
export type ArticleList = {
  /** The page. */
  items: readonly Article[];
  /** Only with `include`: what is referred to. */
  included?: ArticleIncluded;
  pageInfo: PageInfo;
};

/** An article that matches the search. Without `articles:read` there is no `record`. */
export type ArticleSearchResult = {
  /** The resource of the record. */
  type: 'article';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record?: Article;
};

/** One page of results, best first. */
export type ArticleSearchResults = {
  /** The page. */
  items: readonly (ArticleSearchResult | CategorySearchResult | TagSearchResult)[];
  /** Only with `include`: what is referred to. */
  included?: ArticleIncluded;
  pageInfo: PageInfo;
};

/** One edition of a book. */
export type Book = {
  /** Id of the book. */
  id: string;
  /** Title. */
  title: string;
  /** Subtitle. */
  subtitle: string | null;
  /** What the book is about. */
  description: string | null;
  /** Language (BCP 47). */
  language: string | null;
  /** Contributors in order. */
  contributors: readonly Contributor[];
  /** ISBN, unique, in any printed notation; thirteen digits are stored. */
  isbn13: string | null;
  /** The ISBN-10 of an ISBN-13 that begins with 978. */
  isbn10: string | null;
  /** DOI (ISO 26324), stored as the bare name in lower case; links to doi.org are accepted. */
  doi: string | null;
  /** Edition. */
  edition: string | null;
  /** Series it belongs to. */
  seriesTitle: string | null;
  /** Position in the series. */
  seriesPosition: string | null;
  /** Format of the edition. */
  format: 'HARDCOVER' | 'PAPERBACK' | 'EBOOK' | 'AUDIOBOOK' | null;
  /** Number of pages. */
  pageCount: number | null;
  /** Publisher. */
  publisher: string | null;
  /** Imprint. */
  imprint: string | null;
  /** When this edition is or was published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  publicationDate: string | null;
  /** Subjects, the main one first. */
  subjects: readonly Subject[];
  /** Prices; at most one for each currency and territory. */
  prices: readonly Price[];
  /** A knowledge file shown as the cover. */
  coverFileId: string | null;
  /** Attached knowledge files, in order. */
  fileIds: readonly string[];
  /** Status in the catalogue. A new book is a DRAFT; a PATCH of this field makes a transition. */
  status: 'DRAFT' | 'PUBLISHED' | 'UNPUBLISHED' | 'ARCHIVED';
  /** Whether it can be bought (ONIX list 64). FORTHCOMING needs a publicationDate. */
  tradeStatus: 'FORTHCOMING' | 'POSTPONED' | 'ACTIVE' | 'OUT_OF_STOCK' | 'OUT_OF_PRINT' | 'WITHDRAWN' | 'CANCELLED' | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
  /** Only where one record is read with `include`: what is referred to. */
  included?: BookIncluded;
};

/** What records refer to, by resource: a member for each that `include` names. */
export type BookIncluded = {
  /** The knowledge files that the named members refer to and the caller may read, each once, those first that are referred to first. */
  knowledgeFiles?: readonly KnowledgeFile[];
  /** Ids that were not looked up, because there would have been too much: read them by `ids`. */
  omitted?: readonly string[];
};

/** One page of records. */
export type BookList = {
  /** The page. */
  items: readonly Book[];
  /** Only with `include`: what is referred to. */
  included?: BookIncluded;
  pageInfo: PageInfo;
};

/** A book that matches the search. */
export type BookSearchResult = {
  /** The resource of the record. */
  type: 'book';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: Book;
};

/** One page of results, best first. */
export type BookSearchResults = {
  /** The page. */
  items: readonly BookSearchResult[];
  /** Only with `include`: what is referred to. */
  included?: BookIncluded;
  pageInfo: PageInfo;
};

/** A magazine or journal, which has issues. */
export type Magazine = {
  /** Id of the magazine. */
  id: string;
  /** Title. */
  title: string;
  /** Abbreviated title (ISO 4). */
  abbreviatedTitle: string | null;
  /** What it is about. */
  description: string | null;
  /** Language (BCP 47). */
  language: string | null;
  /** Publisher. */
  publisher: string | null;
  /** Website. */
  websiteUrl: string | null;
  /** A knowledge file shown as the cover. */
  coverFileId: string | null;
  /** ISSN of the print edition. Every ISSN is unique, in print and online. */
  issnPrint: string | null;
  /** ISSN of the online edition, different from that of the print edition. */
  issnOnline: string | null;
  /** How often it is published. */
  frequency: 'DAILY' | 'SEMIWEEKLY' | 'WEEKLY' | 'BIWEEKLY' | 'SEMIMONTHLY' | 'MONTHLY' | 'BIMONTHLY' | 'QUARTERLY' | 'TRIANNUAL' | 'SEMIANNUAL' | 'ANNUAL' | 'IRREGULAR' | null;
  /** When it was first published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  startDate: string | null;
  /** When it was last published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  endDate: string | null;
  /** Status of the publication. CEASED requires an endDate. */
  status: 'PLANNED' | 'ACTIVE' | 'SUSPENDED' | 'CEASED';
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
  /** Only where one record is read with `include`: what is referred to. */
  included?: MagazineIncluded;
};

/** What records refer to, by resource: a member for each that `include` names. */
export type MagazineIncluded = {
  /** The knowledge files that the named members refer to and the caller may read, each once, those first that are referred to first. */
  knowledgeFiles?: readonly KnowledgeFile[];
  /** Ids that were not looked up, because there would have been too much: read them by `ids`. */
  omitted?: readonly string[];
};

/** One page of records. */
export type MagazineList = {
  /** The page. */
  items: readonly Magazine[];
  /** Only with `include`: what is referred to. */
  included?: MagazineIncluded;
  pageInfo: PageInfo;
};

/** A magazine that matches the search. */
export type MagazineSearchResult = {
  /** The resource of the record. */
  type: 'magazine';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: Magazine;
};

/** One page of results, best first. */
export type MagazineSearchResults = {
  /** The page. */
  items: readonly MagazineSearchResult[];
  /** Only with `include`: what is referred to. */
  included?: MagazineIncluded;
  pageInfo: PageInfo;
};

/** An issue of one magazine, with its contents in order. */
export type Issue = {
  /** Id of the issue. */
  id: string;
  /** The magazine it belongs to. */
  magazineId: string;
  /** Volume, as printed. */
  volume: string | null;
  /** Number as printed, such as "12", "3-4" or "iii". Together with year and volume it is unique in the magazine. */
  number: string | null;
  /** Year. */
  year: number | null;
  /** Title. At least one of title, number and coverDate is required. */
  title: string | null;
  /** Date as on the cover. */
  coverDate: string | null;
  /** When it is or was published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  publicationDate: string | null;
  /** Number of pages. */
  pageCount: number | null;
  /** DOI (ISO 26324), stored as the bare name in lower case; links to doi.org are accepted. */
  doi: string | null;
  /** A knowledge file shown as the cover. */
  coverFileId: string | null;
  /** Attached knowledge files, in order. */
  fileIds: readonly string[];
  /** Access for readers. */
  accessStatus: 'OPEN' | 'SUBSCRIPTION' | null;
  /** When it becomes free to read: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  openAccessDate: string | null;
  /** Articles in order, each at most once. Publishing the issue publishes those that are APPROVED. */
  contents: readonly IssueContent[];
  /** Status. Setting PUBLISHED also publishes the APPROVED working versions of its articles; if one of them cannot be published, nothing changes. Going back from PUBLISHED to IN_PRODUCTION is a recall, which does not change articles. */
  status: 'PLANNED' | 'IN_PRODUCTION' | 'PUBLISHED' | 'ARCHIVED';
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
  /** Only where one record is read with `include`: what is referred to. */
  included?: IssueIncluded;
};

/** What records refer to, by resource: a member for each that `include` names. */
export type IssueIncluded = {
  /** The magazines that the named members refer to and the caller may read, each once, those first that are referred to first. */
  magazines?: readonly Magazine[];
  /** The knowledge files that the named members refer to and the caller may read, each once, those first that are referred to first. */
  knowledgeFiles?: readonly KnowledgeFile[];
  /** The articles that the named members refer to and the caller may read, each once, those first that are referred to first. */
  articles?: readonly Article[];
  /** Ids that were not looked up, because there would have been too much: read them by `ids`. */
  omitted?: readonly string[];
};

/** One page of records. */
export type IssueList = {
  /** The page. */
  items: readonly Issue[];
  /** Only with `include`: what is referred to. */
  included?: IssueIncluded;
  pageInfo: PageInfo;
};

/** An issue that matches the search. */
export type IssueSearchResult = {
  /** The resource of the record. */
  type: 'issue';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: Issue;
};

/** One page of results, best first. */
export type IssueSearchResults = {
  /** The page. */
  items: readonly IssueSearchResult[];
  /** Only with `include`: what is referred to. */
  included?: IssueIncluded;
  pageInfo: PageInfo;
};

/** A person with at least a name, an e-mail address or a phone number. */
export type Contact = {
  /** Id of the contact. */
  id: string;
  /** First name. */
  firstName: string | null;
  /** Last name. */
  lastName: string | null;
  /** First and last name; without them the primary e-mail address, or the primary phone number. */
  displayName: string;
  /** Job title. */
  jobTitle: string | null;
  /** E-mail addresses in order. Two contacts cannot have the same address. */
  emails: readonly EmailAddress[];
  /** Phone numbers, in order. */
  phones: readonly PhoneNumber[];
  /** Postal addresses, in order. */
  addresses: readonly Address[];
  /** IANA time zone. */
  timezone: string | null;
  /** Preferred language (BCP 47). */
  locale: string | null;
  /** Companies that the person belongs to, each at most once. */
  companies: readonly ContactCompany[];
  /** Lifecycle stage. */
  lifecycleStage: 'SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER' | null;
  /** Status of the lead. */
  leadStatus: 'NEW' | 'OPEN' | 'IN_PROGRESS' | 'UNQUALIFIED' | 'CONVERTED' | null;
  /** The member who is responsible for the record; must be active. */
  ownerUserId: string | null;
  /** Labels, stored in lower case. */
  tags: readonly string[];
  /** Where the contact comes from. */
  source: string | null;
  /** Notes. */
  notes: string | null;
  /** Whether the person asked not to be contacted. */
  doNotContact: boolean;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
  /** Only where one record is read with `include`: what is referred to. */
  included?: ContactIncluded;
};

/** What records refer to, by resource: a member for each that `include` names. */
export type ContactIncluded = {
  /** The CRM companies that the named members refer to and the caller may read, each once, those first that are referred to first. */
  companies?: readonly Company[];
  /** Ids that were not looked up, because there would have been too much: read them by `ids`. */
  omitted?: readonly string[];
};

/** One page of records. */
export type ContactList = {
  /** The page. */
  items: readonly Contact[];
  /** Only with `include`: what is referred to. */
  included?: ContactIncluded;
  pageInfo: PageInfo;
};

/** A contact that matches the search. */
export type ContactSearchResult = {
  /** The resource of the record. */
  type: 'contact';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: Contact;
};

/** One page of results, best first. */
export type ContactSearchResults = {
  /** The page. */
  items: readonly ContactSearchResult[];
  /** Only with `include`: what is referred to. */
  included?: ContactIncluded;
  pageInfo: PageInfo;
};

/** An organization that contacts belong to. */
export type Company = {
  /** Id of the company. */
  id: string;
  /** Name. */
  name: string;
  /** Domains, unique; links are accepted, the domain without www. is stored. */
  domains: readonly string[];
  /** Website. */
  websiteUrl: string | null;
  /** Industry. */
  industry: string | null;
  /** Number of employees. */
  employeeCount: number | null;
  /** An amount of money. */
  annualRevenue: Money | null;
  /** The parent company. A company cannot be its own ancestor. */
  parentCompanyId: string | null;
  /** Phone numbers, in order. */
  phones: readonly PhoneNumber[];
  /** Postal addresses, in order. */
  addresses: readonly Address[];
  /** The member who is responsible for the record; must be active. */
  ownerUserId: string | null;
  /** Labels, stored in lower case. */
  tags: readonly string[];
  /** Lifecycle stage. */
  lifecycleStage: 'SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER' | null;
  /** What it does. */
  description: string | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
  /** Only where one record is read with `include`: what is referred to. */
  included?: CompanyIncluded;
};

/** What records refer to, by resource: a member for each that `include` names. */
export type CompanyIncluded = {
  /** The CRM companies that the named members refer to and the caller may read, each once, those first that are referred to first. */
  companies?: readonly Company[];
  /** Ids that were not looked up, because there would have been too much: read them by `ids`. */
  omitted?: readonly string[];
};

/** One page of records. */
export type CompanyList = {
  /** The page. */
  items: readonly Company[];
  /** Only with `include`: what is referred to. */
  included?: CompanyIncluded;
  pageInfo: PageInfo;
};

/** A company that matches the search. */
export type CompanySearchResult = {
  /** The resource of the record. */
  type: 'company';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: Company;
};

/** One page of results, best first. */
export type CompanySearchResults = {
  /** The page. */
  items: readonly CompanySearchResult[];
  /** Only with `include`: what is referred to. */
  included?: CompanyIncluded;
  pageInfo: PageInfo;
};

/** A URL that events are sent to, at least once and in no particular order. It receives the events that one user may read: the user who created the endpoint, who last changed its `url`, `payload`, `eventTypes` or `siteIds` or replaced its secret, or who enabled it again after it was disabled as CLAIMED. It acts for a person: service members do none of this. */
export type WebhookEndpoint = {
  /** Id of the webhook endpoint. */
  id: string;
  /** Where events are sent: an https URL on the public Internet, without user name and password, on port 80, 443 or above 1023. Private addresses are refused unless the operator allows them. */
  url: string;
  /** The event types that are sent: single types such as `article.published`, all types of a resource with `article.*`, everything with `*`. */
  eventTypes: readonly string[];
  /** The sites whose events are sent: those of the site itself and of its articles, categories and tags. Events of what belongs to no site, such as contacts and books, are then not sent. Null: everything is sent. A site that is deleted stays in the list: its `site.deleted` is sent, and its events again after it is restored. */
  siteIds: readonly string[] | null;
  /** THIN says what changed and where to read it. FULL adds the record, as the user on whose behalf it is sent may read it at the time of the call, and of a deletion the record as it was, while it is in the trash; setting it requires a token with the `:read` scopes of all resources whose events are sent. While this user has no role that may manage webhook endpoints, nothing is sent. */
  payload: 'THIN' | 'FULL';
  /** Purpose of the endpoint. */
  description: string | null;
  /** Nothing is sent to a DISABLED endpoint, and no events are queued for it. An endpoint is disabled automatically when it responds with 410, when all calls fail for five days, or when the account on whose behalf it is sent is claimed. */
  status: 'ENABLED' | 'DISABLED';
  /** Why it was disabled automatically: it responded with 410 (GONE), failed for five days (FAILING), or the account of the user on whose behalf it was sent was taken over by the owner of its e-mail address (CLAIMED). Null if a user disabled it. */
  disabledReason: 'GONE' | 'FAILING' | 'CLAIMED' | null;
  /** When the secret was last replaced. The previous secret also signs for 24 hours after that. */
  secretRotatedAt: string | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
  /** Only where one record is read with `include`: what is referred to. */
  included?: WebhookEndpointIncluded;
};

/** A webhook endpoint with its secret, which is shown only once. */
export type WebhookEndpointWithSecret = {
  /** Id of the webhook endpoint. */
  id: string;
  /** Where events are sent: an https URL on the public Internet, without user name and password, on port 80, 443 or above 1023. Private addresses are refused unless the operator allows them. */
  url: string;
  /** The event types that are sent: single types such as `article.published`, all types of a resource with `article.*`, everything with `*`. */
  eventTypes: readonly string[];
  /** The sites whose events are sent: those of the site itself and of its articles, categories and tags. Events of what belongs to no site, such as contacts and books, are then not sent. Null: everything is sent. A site that is deleted stays in the list: its `site.deleted` is sent, and its events again after it is restored. */
  siteIds: readonly string[] | null;
  /** THIN says what changed and where to read it. FULL adds the record, as the user on whose behalf it is sent may read it at the time of the call, and of a deletion the record as it was, while it is in the trash; setting it requires a token with the `:read` scopes of all resources whose events are sent. While this user has no role that may manage webhook endpoints, nothing is sent. */
  payload: 'THIN' | 'FULL';
  /** Purpose of the endpoint. */
  description: string | null;
  /** Nothing is sent to a DISABLED endpoint, and no events are queued for it. An endpoint is disabled automatically when it responds with 410, when all calls fail for five days, or when the account on whose behalf it is sent is claimed. */
  status: 'ENABLED' | 'DISABLED';
  /** Why it was disabled automatically: it responded with 410 (GONE), failed for five days (FAILING), or the account of the user on whose behalf it was sent was taken over by the owner of its e-mail address (CLAIMED). Null if a user disabled it. */
  disabledReason: 'GONE' | 'FAILING' | 'CLAIMED' | null;
  /** When the secret was last replaced. The previous secret also signs for 24 hours after that. */
  secretRotatedAt: string | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
  /** Only where one record is read with `include`: what is referred to. */
  included?: WebhookEndpointIncluded;
  /** The secret that signs the calls (Standard Webhooks, v1). Store it where only the receiver can read it. */
  secret: string;
};

/** What records refer to, by resource: a member for each that `include` names. */
export type WebhookEndpointIncluded = {
  /** The sites that the named members refer to and the caller may read, each once, those first that are referred to first. */
  sites?: readonly Site[];
  /** Ids that were not looked up, because there would have been too much: read them by `ids`. */
  omitted?: readonly string[];
};

/** One page of records. */
export type WebhookEndpointList = {
  /** The page. */
  items: readonly WebhookEndpoint[];
  /** Only with `include`: what is referred to. */
  included?: WebhookEndpointIncluded;
  pageInfo: PageInfo;
};

/** A webhook endpoint that matches the search. */
export type WebhookEndpointSearchResult = {
  /** The resource of the record. */
  type: 'webhook-endpoint';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: WebhookEndpoint;
};

/** One page of results, best first. */
export type WebhookEndpointSearchResults = {
  /** The page. */
  items: readonly WebhookEndpointSearchResult[];
  /** Only with `include`: what is referred to. */
  included?: WebhookEndpointIncluded;
  pageInfo: PageInfo;
};

/** The organization of the token, with what is switched on for all its members. */
export type Organization = {
  /** Id of the organization. */
  id: string;
  /** Short name, by which operators call it. */
  key: string;
  /** Display name. */
  name: string;
  /** Country of phone numbers that are written without one, by code (ISO 3166-1) or name; two letters are stored. */
  defaultCountry: string | null;
  /** The parts of the product that are switched on. What belongs to another one gets 403 `module_disabled`, and stays stored. */
  modules: readonly ('cms' | 'publishing' | 'knowledge' | 'crm' | 'visitors' | 'sandbox')[];
  /** Whether a session needs two factors to enter the organization. Bearer tokens do not. */
  mfaRequired: boolean;
  /** For how many days the history of records is kept; at least as long as Idempotency-Keys are. What is older is deleted within a day. */
  historyDays: number;
  /** All calls of a SUSPENDED organization are refused, this one included: only an operator makes it ACTIVE again. */
  status: 'ACTIVE' | 'SUSPENDED';
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
};

/** A role of members: a set of permissions. The built-in roles OWNER, ADMIN, EDITOR, AUTHOR and VIEWER have the same ids in every organization and cannot be changed. */
export type Role = {
  /** Id of the role. */
  id: string;
  /** Short name of the role, unique in the organization. That of a built-in role is in capitals. */
  key: string;
  /** Display name. */
  name: string;
  /** The permissions. A role that may do something with a resource may also read it. */
  grants: readonly Grant[];
  /** Whether the role is built in. */
  builtIn: boolean;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
};

/** One page of records. */
export type RoleList = {
  /** The page. */
  items: readonly Role[];
  pageInfo: PageInfo;
};

/** A role that matches the search. */
export type RoleSearchResult = {
  /** The resource of the record. */
  type: 'role';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: Role;
};

/** One page of results, best first. */
export type RoleSearchResults = {
  /** The page. */
  items: readonly RoleSearchResult[];
  pageInfo: PageInfo;
};

/** A user who is a member of the organization, with a role. A member has the id of the user, by which records refer to people (`ownerUserId`, `createdBy`). A service member is a program: it does not sign in, acts by its tokens only, and a person is responsible for it. */
export type Member = {
  /** Id of the member. */
  id: string;
  /** Name of the person or of the program. */
  name: string;
  /** E-mail address of the person; null for a service member. */
  email: string | null;
  /** PERSON: signs in. SERVICE: a program that acts with tokens only. */
  kind: 'PERSON' | 'SERVICE';
  /** The person who is responsible for a service member; by default the caller. Null for a person. */
  responsibleUserId: string | null;
  /** The role of the member, which says what the member may do. */
  roleId: string;
  /** The tokens and sessions of a DISABLED member are refused. */
  status: 'ACTIVE' | 'DISABLED';
  /** When a token or session of the member was last used in this organization, accurate within a minute. It does not change the version. */
  lastSeenAt: string | null;
  /** Whether the user has a passkey or an authenticator app. It does not change the version. */
  hasMfa: boolean;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
};

/** One page of records. */
export type MemberList = {
  /** The page. */
  items: readonly Member[];
  pageInfo: PageInfo;
};

/** A member that matches the search. */
export type MemberSearchResult = {
  /** The resource of the record. */
  type: 'member';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: Member;
};

/** One page of results, best first. */
export type MemberSearchResults = {
  /** The page. */
  items: readonly MemberSearchResult[];
  pageInfo: PageInfo;
};

/** An invitation to become a member with a role. Its link can be used once, within seven days, and only while the member who sent it could still send it. Who has an account already accepts it signed in to that account; anybody else makes one with it. */
export type Invitation = {
  /** Id of the invitation. */
  id: string;
  /** E-mail address of the invited person. The account with this address becomes a member. */
  email: string;
  /** The role of the new member. It cannot permit more than the role of the caller. */
  roleId: string;
  /** PENDING until it is ACCEPTED or REVOKED, or EXPIRED after `expiresAt`, which does not change the version. */
  status: 'PENDING' | 'ACCEPTED' | 'REVOKED' | 'EXPIRED';
  /** When the link expires: seven days after it was made or made anew. */
  expiresAt: string;
  /** Who has accepted it, also if they have left since; null until then. */
  userId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
};

/** An invitation with its link, which is shown only once. */
export type InvitationWithLink = {
  /** Id of the invitation. */
  id: string;
  /** E-mail address of the invited person. The account with this address becomes a member. */
  email: string;
  /** The role of the new member. It cannot permit more than the role of the caller. */
  roleId: string;
  /** PENDING until it is ACCEPTED or REVOKED, or EXPIRED after `expiresAt`, which does not change the version. */
  status: 'PENDING' | 'ACCEPTED' | 'REVOKED' | 'EXPIRED';
  /** When the link expires: seven days after it was made or made anew. */
  expiresAt: string;
  /** Who has accepted it, also if they have left since; null until then. */
  userId: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
  /** The link, for who is invited and nobody else. */
  link: string;
};

/** One page of records. */
export type InvitationList = {
  /** The page. */
  items: readonly Invitation[];
  pageInfo: PageInfo;
};

/** An invitation that matches the search. */
export type InvitationSearchResult = {
  /** The resource of the record. */
  type: 'invitation';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: Invitation;
};

/** One page of results, best first. */
export type InvitationSearchResults = {
  /** The page. */
  items: readonly InvitationSearchResult[];
  pageInfo: PageInfo;
};

/** An application of the organization. Every token belongs to a client, so that one application can be disabled without the others. A client of the kind BROWSER has a publishable key instead of tokens, by which the pages of one site identify visitors. */
export type Client = {
  /** Id of the client. */
  id: string;
  /** Name of the application, unique in the organization. */
  name: string;
  /** What the application is. It cannot be changed. */
  kind: 'SERVER' | 'CONSOLE' | 'CLI' | 'BROWSER';
  /** The tokens, the sessions and the publishable key of a DISABLED client are refused. */
  status: 'ACTIVE' | 'DISABLED';
  /** Of the kind BROWSER: the site whose pages use the publishable key. It cannot be changed. */
  siteId: string | null;
  /** Of the kind BROWSER: scheme, host and port of all pages that may use the publishable key, such as `https://www.example.com`. Empty for other kinds. */
  origins: readonly string[];
  /** Of the kind BROWSER: the key that pages send. It is public. */
  publishableKey: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
};

/** One page of records. */
export type ClientList = {
  /** The page. */
  items: readonly Client[];
  pageInfo: PageInfo;
};

/** A client that matches the search. */
export type ClientSearchResult = {
  /** The resource of the record. */
  type: 'client';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: Client;
};

/** One page of results, best first. */
export type ClientSearchResults = {
  /** The page. */
  items: readonly ClientSearchResult[];
  pageInfo: PageInfo;
};

/** A bearer token. It acts for a user, within the role of the user and the scopes of the token. People make tokens for themselves, and with `members:manage` for service members. A token never permits more than its creator may do, and a token for a service member is refused while its creator may do less than the role of the service member permits. Tokens of sessions are not listed here, nor are revoked ones. */
export type Token = {
  /** Id of the token. */
  id: string;
  /** What the token is for. */
  name: string;
  /** The client that the token belongs to. Not of the kind BROWSER or CONSOLE. */
  clientId: string;
  /** The member that the token acts for: the caller, who is meant unless given, or a service member. */
  userId: string;
  /** What the token may do, as far as the role of the user permits it. */
  scopes: readonly string[];
  /** The interfaces that the token is for; `api` unless given. */
  resources: readonly ('api' | 'sandbox')[];
  /** Days from its creation until the token expires. */
  lifetimeDays: number;
  /** Whether the token never expires, whatever `lifetimeDays` says. */
  neverExpires: boolean;
  /** When the token expires; null: never. */
  expiresAt: string | null;
  /** When the token was last used, accurate within a minute. It does not change the version. */
  lastUsedAt: string | null;
  /** The first characters of the token, to recognize it; null for one made before they were kept. */
  start: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
};

/** A token with its secret, which is shown only once. */
export type TokenWithSecret = {
  /** Id of the token. */
  id: string;
  /** What the token is for. */
  name: string;
  /** The client that the token belongs to. Not of the kind BROWSER or CONSOLE. */
  clientId: string;
  /** The member that the token acts for: the caller, who is meant unless given, or a service member. */
  userId: string;
  /** What the token may do, as far as the role of the user permits it. */
  scopes: readonly string[];
  /** The interfaces that the token is for; `api` unless given. */
  resources: readonly ('api' | 'sandbox')[];
  /** Days from its creation until the token expires. */
  lifetimeDays: number;
  /** Whether the token never expires, whatever `lifetimeDays` says. */
  neverExpires: boolean;
  /** When the token expires; null: never. */
  expiresAt: string | null;
  /** When the token was last used, accurate within a minute. It does not change the version. */
  lastUsedAt: string | null;
  /** The first characters of the token, to recognize it; null for one made before they were kept. */
  start: string | null;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
  /** The token. Store it where only the client can read it. */
  secret: string;
};

/** One page of records. */
export type TokenList = {
  /** The page. */
  items: readonly Token[];
  pageInfo: PageInfo;
};

/** A token that matches the search. */
export type TokenSearchResult = {
  /** The resource of the record. */
  type: 'token';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: Token;
};

/** One page of results, best first. */
export type TokenSearchResults = {
  /** The page. */
  items: readonly TokenSearchResult[];
  pageInfo: PageInfo;
};

/** A list of one resource under a name: its filters, search, order, columns and layout. A private view is visible to its owner only, not even to administrators; a shared one to every member who may read the resource. */
export type View = {
  /** Id of the view. */
  id: string;
  /** Display name, unique among the shared views of a resource and among the private ones of a user. */
  name: string;
  /** The resource whose list it is. Lists below a parent have the same views below every parent. */
  resource: 'sites' | 'categories' | 'tags' | 'knowledge-files' | 'articles' | 'books' | 'magazines' | 'issues' | 'contacts' | 'companies' | 'members';
  /** The query string of the list: its filters, `search` and `sort`. Stored in the order of the names, without parameters that are empty. */
  query: string;
  /** The fields that are shown, by their dotted names, in this order; none for those that are shown by default. A hyphen and a number after a name are the width in pixels, from 60 to 1000. */
  columns: readonly string[];
  /** Whether the list is a table, or a gallery of pictures, which lists of records with pictures can be. */
  layout: 'TABLE' | 'GALLERY';
  /** Whether others see the view too, which requires the permission to publish views. */
  shared: boolean;
  /** Who created it. */
  ownerUserId: string;
  /** Starts at 1 and increases by 1 with every change; the ETag is made of it. */
  version: number;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
};

/** One page of records. */
export type ViewList = {
  /** The page. */
  items: readonly View[];
  pageInfo: PageInfo;
};

/** A view that matches the search. */
export type ViewSearchResult = {
  /** The resource of the record. */
  type: 'view';
  /** Id of the record. */
  id: string;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** Title or name of the record. */
  title: string;
  /** Matches in context, one snippet for each field with a match. */
  highlights: readonly Highlight[];
  record: View;
};

/** One page of results, best first. */
export type ViewSearchResults = {
  /** The page. */
  items: readonly ViewSearchResult[];
  pageInfo: PageInfo;
};

/** The values of a field before and after a change. */
export type FieldChange = {
  /** Dotted name of the field. */
  field: string;
  /** Its value before: any JSON value. */
  before: unknown;
  /** Its value after: any JSON value. */
  after: unknown;
  /** Null for whole values. Of a long text, `before` and `after` are the part that differs, and this is where it begins, in UTF-16 code units. */
  offset: number | null;
};

/** A change of a record. */
export type Change = {
  /** The version that the change has made. */
  version: number;
  /** What was done with the record. */
  action: 'created' | 'updated' | 'deleted' | 'restored';
  /** When (UTC). */
  changedAt: string;
  /** The user who made it; null if the system or an operator did. */
  changedBy: string | null;
  /** The client that made it; null if the system or an operator did, and for the creation. */
  client: string | null;
  /** The fields that changed; none for the creation and the deletion. */
  fields: readonly FieldChange[];
};

/** One page of the changes of a record, newest first. */
export type History = {
  /** The page. */
  items: readonly Change[];
  pageInfo: PageInfo;
};

/** What became of an item of a batch. */
export type BatchOutcome = {
  /** The status that the request alone would have had. */
  status: number;
  /** Id of the record, unless the item was refused. */
  id?: string;
  /** Version of the record, unless it was deleted or the item was refused. */
  version?: number;
  /** Why the item was refused: the problem that the request alone would have had. */
  problem?: Problem;
};

/** What became of the items of a batch. */
export type BatchOutcomes = {
  /** An outcome for each item, in the order of the items. */
  items: readonly BatchOutcome[];
};

/** Who calls: what the token belongs to, and what it may do. */
export type Me = {
  /** The organization of the token. */
  organization: MeOrganization;
  /** The user of the token. */
  user: MeUser;
  /** The application that the token belongs to. */
  client: MeClient;
  /** The role of the user in the organization. */
  role: MeRole;
  /** Id of the token. */
  tokenId: string;
  /** The interfaces that the token is for (RFC 8707). */
  resources: readonly ('api' | 'sandbox')[];
  /** The scopes of the token. */
  scopes: readonly string[];
  /** The modules that are switched on. */
  modules: readonly ('cms' | 'publishing' | 'knowledge' | 'crm' | 'visitors' | 'sandbox')[];
  /** When the token expires; null if never. */
  expiresAt: string | null;
  /** How long deleted records are kept in the trash, in seconds; 0: not at all. */
  trashSeconds: number;
  /** How the person of a session signed in; null for a bearer token. */
  signIn: MeSignIn | null;
};

/** A session: a browser in which somebody is signed in, as far as this organization goes. */
export type Session = {
  /** Id of the session. */
  id: string;
  /** Who is signed in. */
  userId: string;
  /** Browser and system, as the browser names them; empty if it names none. */
  device: string;
  /** How the person signed in. */
  methods: readonly ('PASSWORD' | 'TOTP' | 'RECOVERY_CODE' | 'PASSKEY' | 'EXTERNAL' | 'LINK')[];
  /** When that was proven last. */
  authenticatedAt: string;
  /** When the person last did something with it, as reported by the page. */
  lastUsedAt: string;
  /** When it ends, used or not. */
  expiresAt: string;
  /** When it was opened in this organization. */
  createdAt: string;
  /** Whether it is the session of this request. */
  current: boolean;
};

/** One page of sessions. */
export type SessionList = {
  /** The page. */
  items: readonly Session[];
  pageInfo: PageInfo;
};

/** One version of an article. */
export type ArticleVersion = {
  /** The article. */
  articleId: string;
  /** Number of the version, from 1. */
  versionNumber: number;
  /** Fields of one version. In a record: the working version, or the published one. */
  versionData: VersionData;
  /** When it was created (UTC). */
  createdAt: string;
  /** When it was last changed (UTC). */
  updatedAt: string;
  /** The user who created it; null if the system did. */
  createdBy: string | null;
  /** The user who last changed it; null if the system did. */
  updatedBy: string | null;
};

/** One page of versions, newest first. */
export type ArticleVersionList = {
  /** The page. */
  items: readonly ArticleVersion[];
  pageInfo: PageInfo;
};

/** The differences between two versions of an article. */
export type ArticleVersionDifference = {
  /** Number of the version compared with. */
  from: number;
  /** Number of the version in the path. */
  to: number;
  /** All fields that differ, except the body. */
  fields: readonly ArticleVersionDifferenceFields[];
  /** The changed parts of the body with the lines around them; empty if the body is the same. */
  body: readonly ArticleVersionDifferenceBody[];
};

/** One attempt to deliver. */
export type WebhookAttempt = {
  /** Number of the attempt, from 1. */
  number: number;
  /** When the attempt was started. */
  attemptedAt: string;
  /** HTTP status of the response; null if there was none. */
  status: number | null;
  /** Duration in milliseconds. */
  latencyMs: number;
  /** The first 2048 bytes of the response. */
  response: string;
  /** Why there was no response; null if there was one. */
  error: string | null;
};

/** One event for one endpoint. */
export type WebhookDelivery = {
  /** Id of the delivery. */
  id: string;
  /** The endpoint. */
  endpointId: string;
  /** The event; sent as `webhook-id`, by every attempt and replay. */
  eventId: string;
  /** Type of the event. */
  eventType: string;
  /** Id of the record that the event is about. */
  subject: string;
  /** Path of that record, also after its deletion; null if there is none. */
  path: string | null;
  /** PENDING before the first attempt and between attempts; FAILED after the last attempt. */
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  /** When the delivery was created. */
  createdAt: string;
  /** When the next attempt is made; null unless PENDING. */
  nextAttemptAt: string | null;
  /** The last attempts, at most 20, oldest first. */
  attempts: readonly WebhookAttempt[];
};

/** One page of deliveries, newest first. */
export type WebhookDeliveryList = {
  /** The page. */
  items: readonly WebhookDelivery[];
  pageInfo: PageInfo;
};

/** The result of a replay request. */
export type WebhookReplay = {
  /** Number of events that are sent. */
  events: number;
};

/** A visitor of a site, as its browser was last identified. */
export type Visitor = {
  /** Id of the visitor. */
  visitorId: string;
  /** Id of the identify call that the rest of the record comes from. */
  requestId: string;
  /** How sure it is who this is. */
  confidence: Confidence;
  /** The browser, as its own headers tell. */
  browser: VisitorBrowser;
  /** The device, as far as the headers tell. */
  device: VisitorDevice;
  /** First identification. */
  firstSeenAt: string;
  /** Newest identification. */
  lastSeenAt: string;
};

/** The recognized visitor. */
export type VisitorIdentification = {
  /** Id of the visitor. */
  visitorId: string;
  /** Id of this call. */
  requestId: string;
  /** How sure it is who this is. */
  confidence: Confidence;
  /** Token that the browser stores and sends with the next call, unchanged. Null for a visitor who refuses to be recognized: the browser then removes a stored one. */
  storedToken: string | null;
};

/** Changes of the visitor lookup. */
export type VisitorLookupChangelog = {
  /** The newest first. */
  changes: readonly VisitorLookupChangelogChanges[];
};

/** A visitor of a site. */
export type ListedVisitor = {
  /** Id of the visitor. */
  visitorId: string;
  /** The site. */
  siteId: string;
  /** How often its browser was identified. */
  visits: number;
  /** First identification. */
  firstSeenAt: string;
  /** Newest identification. */
  lastSeenAt: string;
  /** Name of the browser at the newest visit; null if that is no longer kept. */
  browser: string | null;
  /** Kind of device at the newest visit; null if that is no longer kept. */
  deviceType: 'desktop' | 'mobile' | 'tablet' | 'tv' | 'bot' | 'unknown' | null;
};

/** One page of visitors. */
export type VisitorList = {
  /** The page. */
  items: readonly ListedVisitor[];
  pageInfo: PageInfo;
};

/** Visits by day and site. */
export type VisitCounts = {
  /** The first day that is counted as a whole; null if not even today is. */
  from: string | null;
  /** The newest day first. A day without visits of a site is not listed. */
  items: readonly VisitCountsItems[];
};

/** An event (CloudEvents 1.0). It says what changed and where to read it, and contains no content of the record. */
export type Event = {
  /** Version of CloudEvents. */
  specversion: '1.0';
  /** Id of the event: the same every time it is sent. */
  id: string;
  /** The organization. */
  source: string;
  /** The resource and what happened. */
  type: string;
  /** Id of the record. */
  subject: string;
  /** When the change was made. */
  time: string;
  /** Type of `data`. */
  datacontenttype: 'application/json';
  /** Position in the log of the organization, zero-padded. */
  sequence: string;
  /** What happened to which record, and who did it. */
  data: LoggedEventData;
};

/** One page of events, oldest first. */
export type EventList = {
  /** The page. */
  items: readonly Event[];
  pageInfo: EventPageInfo;
};

/** Where the page ends, and where the next request continues. */
export type EventPageInfo = {
  /** Send it as `cursor`, unchanged, for the events after this page. Never null: after the last page it returns later events. */
  nextCursor: string;
  /** Whether the log has more events now. */
  hasNextPage: boolean;
};

/** What changed lately. */
export type Activity = {
  /** The newest work first. */
  items: readonly ActivityItems[];
};

/** An AsyncAPI 3.0 document. */
export type AsyncApiDocument = {
  /** Version of AsyncAPI. */
  asyncapi: string;
  /** Title, version, licence and introduction. */
  info: { [name: string]: unknown };
  /** Media type of every message. */
  defaultContentType: string;
  /** The sender and the receivers. */
  servers: { [name: string]: unknown };
  /** The ways in which events are sent, with the messages of each. */
  channels: { [name: string]: unknown };
  /** What the server sends. */
  operations: { [name: string]: unknown };
  /** The schemas of the events. */
  components: { [name: string]: unknown };
};

/** An article that waits. */
export type WaitingArticle = {
  /** Id of the article. */
  id: string;
  /** Address of the article. */
  url: string;
  /** Title of the working version. */
  title: string;
  /** When it was changed last; in `returned` sent back, in `published` published. */
  updatedAt: string;
  /** When it is published; null unless it is scheduled. */
  scheduledFor: string | null;
  /** Why its last scheduled change failed; null if none has. */
  scheduleError: string | null;
  /** Who did that; null for the system itself. */
  updatedBy: string | null;
  /** In `returned`: why it was sent back; null without a reason. */
  returnNote: string | null;
};

/** The newest delivery of an endpoint that failed permanently. */
export type FailedDelivery = {
  /** Type of the event. */
  eventType: string;
  /** HTTP status of the last response; null if there was none. */
  status: number | null;
  /** When it was sent last; null if it never was. */
  attemptedAt: string | null;
};

/** A webhook endpoint that the server has disabled, or that has a failed delivery. */
export type FailingEndpoint = {
  /** Id of the endpoint. */
  id: string;
  /** Address of the endpoint in this API. */
  url: string;
  /** The URL that is called. */
  target: string;
  /** Why the server has disabled it; null if it has not. */
  disabledReason: 'GONE' | 'FAILING' | 'CLAIMED' | null;
  /** The newest delivery that failed permanently; null if none has. */
  failedDelivery: FailedDelivery | null;
};

/** What waits for the caller. Parts that the caller may not read are null. */
export type Waiting = {
  /** The caller's drafts, the last changed first. */
  drafts: readonly WaitingArticle[] | null;
  /** Articles that the caller made or submitted and others sent back, the last sent back first. */
  returned: readonly WaitingArticle[] | null;
  /** Articles that the caller made or submitted and others published in the last 7 days, the last published first. */
  published: readonly WaitingArticle[] | null;
  /** Articles in review, the last changed first. */
  inReview: readonly WaitingArticle[] | null;
  /** Scheduled articles, the next first. */
  scheduled: readonly WaitingArticle[] | null;
  /** Articles whose scheduled change failed, the last changed first. */
  failedSchedules: readonly WaitingArticle[] | null;
  /** Webhook endpoints that fail, the newest first. */
  endpoints: readonly FailingEndpoint[] | null;
};

/** A deleted record that can be restored. */
export type TrashEntry = {
  /** Id of the record. */
  id: string;
  /** The resource of the record. */
  resource: 'sites' | 'categories' | 'tags' | 'knowledge-files' | 'articles' | 'books' | 'magazines' | 'issues' | 'contacts' | 'companies';
  /** What the record was called. */
  title: string;
  /** The address that the record has again when it is restored. */
  url: string;
  /** Id of the record above it, such as the site of an article. */
  parentId: string | null;
  /** Who deleted it. */
  deletedBy: string | null;
  /** When it was deleted. */
  deletedAt: string;
  /** When it is removed for good. */
  purgeAt: string;
};

/** One page of the trash, last deleted first. */
export type TrashList = {
  /** The page. */
  items: readonly TrashEntry[];
  pageInfo: PageInfo;
};

/** The record, as its own operations return it. */
export type RestoredRecord = Site | Category | Tag | KnowledgeFile | Article | Book | Magazine | Issue | Contact | Company;

/** A record that refers to another one. */
export type Use = {
  /** Kind of the record, as in events. */
  type: string;
  /** Id of the record. */
  id: string;
  /** Address of the record. */
  url: string;
  /** Title of the record. */
  title: string;
  /** Whether readers see the use: the published version has it, or the record is published. Null for kinds of records that are not published, such as contacts. */
  published: boolean | null;
  /** Whether the other record cannot be deleted because of this one. A mention in a text does not prevent it. */
  preventsDeletion: boolean;
};

/** What refers to a record. */
export type Usage = {
  /** Records that the caller may read, by kind, the last changed first. */
  items: readonly Use[];
  /** Whether there are more than these. */
  hasMore: boolean;
};

/** Where the page ends. `nextCursor: null` is the only sign of the end. */
export type PageInfo = {
  /** Send it as `cursor`, unchanged, for the next page; null on the last one. */
  nextCursor: string | null;
  /** Whether there are more items: the same as `nextCursor` not being null, or as `truncated` where no cursor is offered. */
  hasNextPage: boolean;
  /** Only where no cursor is offered: whether there are more results than `limit`. */
  truncated?: boolean;
};

/** How many records have each value of a field. */
export type Counts = {
  /** Each value of the field in the order of its filter, and null last if the field may be empty. */
  items: readonly CountsItems[];
};

/** A part of a field around its first match. */
export type Highlight = {
  /** Dotted name of the field. */
  field: string;
  /** HTML: matches are in `<mark>`, everything else is escaped. */
  snippet: string;
  /** Page of the document with the snippet; only if the content has pages. */
  page?: number;
};

/** Problem details (RFC 9457). `code` identifies the error; the page at `type` explains it. */
export type Problem = {
  /** URL of the page about this code. */
  type: string;
  /** What happened, the same for every problem with this code. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** What happened this time and how to correct it. */
  detail: string;
  /** Path of the request. */
  instance: string;
  /** Stable name of the error. */
  code: 'malformed_request' | 'malformed_json' | 'malformed_form' | 'digest_mismatch' | 'invalid_parameter' | 'unknown_parameter' | 'cursor_invalid' | 'cursor_mismatch' | 'idempotency_key_required' | 'idempotency_key_invalid' | 'invalid_header' | 'token_missing' | 'token_invalid' | 'sign_in_failed' | 'session_invalid' | 'insufficient_user_authentication' | 'cross_site_request' | 'wrong_user' | 'insufficient_scope' | 'module_disabled' | 'permission_denied' | 'organization_suspended' | 'origin_not_allowed' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_in_progress' | 'conflict' | 'ambiguous_match' | 'reference_gone' | 'invalid_transition' | 'in_use' | 'last_owner' | 'last_console' | 'quota_reached' | 'link_invalid' | 'challenge_invalid' | 'version_mismatch' | 'body_too_large' | 'range_not_satisfiable' | 'unsupported_media_type' | 'validation_failed' | 'unknown_field' | 'empty_patch' | 'reference_not_found' | 'idempotency_key_reused' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'expectation_failed' | 'unsupported_transfer_coding' | 'overloaded' | 'external_unavailable' | 'storage_unavailable' | 'database_unavailable';
  /** Id of the request, as in `X-Request-Id`. */
  requestId: string;
  /** All faults of the request; may be empty. */
  errors: readonly Fault[];
  /** `malformed_json`: number of characters before the fault. */
  position?: number;
  /** `malformed_json`: line of the fault. */
  line?: number;
  /** `malformed_json`: its column. */
  column?: number;
  /** Of an atomic batch: the index of the item that was refused. */
  item?: number;
  /** `insufficient_scope`: all scopes that are required. */
  requiredScopes?: readonly string[];
  /** `conflict`: dotted name of the field whose value is taken. */
  field?: string;
  /** `conflict`: the record that has the value, if the caller may read it. */
  existingId?: string;
  /** `ambiguous_match`: the records that match, if the caller may read them. */
  existingIds?: readonly string[];
  /** `invalid_transition`: the current status. */
  from?: string;
  /** `invalid_transition`: the requested status. */
  to?: string;
  /** `invalid_transition`: the statuses that are possible. */
  allowed?: readonly string[];
  /** `in_use`: the records that still refer to this one. */
  usedBy?: readonly ProblemUsedBy[];
  /** `in_use`: the records that still refer to this one and that the caller may read, up to 10 of each kind, those changed last first. */
  uses?: readonly ProblemUses[];
  /** `not_found`, in the response to a retry: the record that the request wrote, which was deleted since or is not visible to the caller. */
  recordId?: string;
  /** `version_mismatch`: the current version of the record. */
  currentVersion?: number;
};

/** One fault, located by exactly one of `pointer`, `parameter` and `header`. */
export type Fault = {
  /** Location in the body: a JSON pointer (RFC 6901); empty for the whole body. */
  pointer?: string;
  /** Name of the query parameter. */
  parameter?: string;
  /** Name of the request header. */
  header?: string;
  /** Kind of the fault, for programs. */
  code: string;
  /** What is wrong and what is expected, as a sentence. */
  detail: string;
};

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = {
  /** Version of OpenAPI. */
  openapi: string;
  /** Title, version, licence and introduction. */
  info: { [name: string]: unknown };
  /** Base URL of the API. */
  servers: readonly { [name: string]: unknown }[];
  /** How callers are authenticated. */
  security: readonly { [name: string]: unknown }[];
  /** Groups of operations. */
  tags: readonly { [name: string]: unknown }[];
  /** Every operation, by path and method. */
  paths: { [name: string]: unknown };
  /** Every event that a webhook endpoint can be sent, by type. */
  webhooks: { [name: string]: unknown };
  /** Shared components: schemas, responses, parameters, headers, security schemes. */
  components: { [name: string]: unknown };
};

/** Body of "Create a site". */
export type SiteCreate = {
  /** Display name. */
  name: string;
  /** Short name used in URLs and imports, unique in the organization. */
  key: string;
  /** Default language of articles (BCP 47). Default: `"en"`. */
  defaultLocale?: string;
  /** Host names the site is served under. Default: `[]`. */
  domains?: readonly string[];
  /** IANA time zone of the editors. Default: `"UTC"`. */
  timezone?: string;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId?: string | null;
};

/** Body of "Change a site". */
export type SitePatch = {
  /** Display name. */
  name?: string;
  /** Short name used in URLs and imports, unique in the organization. */
  key?: string;
  /** Default language of articles (BCP 47). */
  defaultLocale?: string;
  /** Host names the site is served under. */
  domains?: readonly string[];
  /** IANA time zone of the editors. */
  timezone?: string;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
};

/** Several writes. */
export type BatchCreate = {
  /** The writes, in their order. */
  items: readonly BatchItemsInput[];
  /** Whether nothing is carried out if one of the items is refused. The response is then the problem of the first, with its index as `item`. */
  atomic?: boolean;
};

/** Body of "Create a category". */
export type CategoryCreate = {
  /** Display name. */
  name: string;
  /** Part of the URL, unique in the site. Generated from the name when not given. */
  slug?: string;
  /** What belongs here. */
  description?: string | null;
  /** The category above this one, in the same site. */
  parentId?: string | null;
  /** Position among its siblings, ascending. Default: `0`. */
  position?: number;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId?: string | null;
};

/** Body of "Change a category". */
export type CategoryPatch = {
  /** Display name. */
  name?: string;
  /** Part of the URL, unique in the site. Generated from the name when not given. */
  slug?: string;
  /** What belongs here. */
  description?: string | null;
  /** The category above this one, in the same site. */
  parentId?: string | null;
  /** Position among its siblings, ascending. */
  position?: number;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
};

/** Body of "Create a tag". */
export type TagCreate = {
  /** Display name. */
  name: string;
  /** Part of the URL, unique in the site. Generated from the name when not given. */
  slug?: string;
  /** Colour of the label, `#rrggbb`; stored in lower case. */
  color?: string | '' | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId?: string | null;
};

/** Body of "Change a tag". */
export type TagPatch = {
  /** Display name. */
  name?: string;
  /** Part of the URL, unique in the site. Generated from the name when not given. */
  slug?: string;
  /** Colour of the label, `#rrggbb`; stored in lower case. */
  color?: string | '' | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
};

/** Body of "Create a knowledge file". */
export type KnowledgeFileCreate = {
  /** Display name. */
  name: string;
  /** What is in it. */
  description?: string | null;
  /** Labels, stored in lower case. Default: `[]`. */
  tags?: readonly string[];
  /** Language (BCP 47). */
  language?: string | '' | null;
  /** Where the file comes from. */
  sourceUrl?: string | '' | null;
  /** When the file is deleted automatically, with its content. A file that other records refer to is kept until the references are gone. */
  expiresAt?: string | null;
  /** PRIVATE: visible to the owner only, not even to administrators. RESTRICTED: also to `allowedUserIds` and `allowedRoles`. ORGANIZATION: to every member. May be changed by the owner, and by an OWNER or ADMIN who can see the file. Default: `"PRIVATE"`. */
  visibility?: 'PRIVATE' | 'RESTRICTED' | 'ORGANIZATION';
  /** Members who may see the file while it is RESTRICTED. Default: `[]`. */
  allowedUserIds?: readonly string[];
  /** Roles whose members may see the file while it is RESTRICTED. Default: `[]`. */
  allowedRoles?: readonly ('OWNER' | 'ADMIN' | 'EDITOR' | 'AUTHOR' | 'VIEWER')[];
  /** The owner; by default the creator. May be changed by the owner, an OWNER or an ADMIN. */
  ownerUserId?: string;
  /** What a picture shows, for people who do not see it. */
  alternativeText?: string | null;
  /** The point of a picture, as people see it, that renditions with `fit=cover` keep; the center if null. */
  focalPoint?: FocalPointInput | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId?: string | null;
  /** A short text as the content, instead of an upload; at most 256 KiB of UTF-8. Its type is detected as for an upload. */
  content?: string;
};

/** Body of "Change a knowledge file". */
export type KnowledgeFilePatch = {
  /** Display name. */
  name?: string;
  /** What is in it. */
  description?: string | null;
  /** Labels, stored in lower case. */
  tags?: readonly string[];
  /** Language (BCP 47). */
  language?: string | '' | null;
  /** Where the file comes from. */
  sourceUrl?: string | '' | null;
  /** When the file is deleted automatically, with its content. A file that other records refer to is kept until the references are gone. */
  expiresAt?: string | null;
  /** PRIVATE: visible to the owner only, not even to administrators. RESTRICTED: also to `allowedUserIds` and `allowedRoles`. ORGANIZATION: to every member. May be changed by the owner, and by an OWNER or ADMIN who can see the file. */
  visibility?: 'PRIVATE' | 'RESTRICTED' | 'ORGANIZATION';
  /** Members who may see the file while it is RESTRICTED. */
  allowedUserIds?: readonly string[];
  /** Roles whose members may see the file while it is RESTRICTED. */
  allowedRoles?: readonly ('OWNER' | 'ADMIN' | 'EDITOR' | 'AUTHOR' | 'VIEWER')[];
  /** The owner; by default the creator. May be changed by the owner, an OWNER or an ADMIN. */
  ownerUserId?: string;
  /** What a picture shows, for people who do not see it. */
  alternativeText?: string | null;
  /** The point of a picture, as people see it, that renditions with `fit=cover` keep; the center if null. */
  focalPoint?: FocalPointPatch | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
};

/** Body of "Create an article". */
export type ArticleCreate = {
  /** Fields of the article, which are the same for all its versions. */
  articleData?: ArticleDataInput;
  /** Fields of one version. In a record: the working version, or the published one. */
  versionData: VersionDataInput;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId?: string | null;
};

/** Body of "Change an article". */
export type ArticlePatch = {
  /** Fields of the article, which are the same for all its versions. */
  articleData?: ArticleDataPatch;
  /** Fields of one version. In a record: the working version, or the published one. */
  versionData?: VersionDataPatch;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
};

/** Body of "Create a book". */
export type BookCreate = {
  /** Title. */
  title: string;
  /** Subtitle. */
  subtitle?: string | null;
  /** What the book is about. */
  description?: string | null;
  /** Language (BCP 47). */
  language?: string | '' | null;
  /** Contributors in order. Default: `[]`. */
  contributors?: readonly ContributorInput[];
  /** ISBN, unique, in any printed notation; thirteen digits are stored. */
  isbn13?: string | '' | null;
  /** DOI (ISO 26324), stored as the bare name in lower case; links to doi.org are accepted. */
  doi?: string | '' | null;
  /** Edition. */
  edition?: string | null;
  /** Series it belongs to. */
  seriesTitle?: string | null;
  /** Position in the series. */
  seriesPosition?: string | null;
  /** Format of the edition. */
  format?: 'HARDCOVER' | 'PAPERBACK' | 'EBOOK' | 'AUDIOBOOK' | null;
  /** Number of pages. */
  pageCount?: number | null;
  /** Publisher. */
  publisher?: string | null;
  /** Imprint. */
  imprint?: string | null;
  /** When this edition is or was published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  publicationDate?: string | '' | null;
  /** Subjects, the main one first. Default: `[]`. */
  subjects?: readonly SubjectInput[];
  /** Prices; at most one for each currency and territory. Default: `[]`. */
  prices?: readonly PriceInput[];
  /** A knowledge file shown as the cover. */
  coverFileId?: string | null;
  /** Attached knowledge files, in order. Default: `[]`. */
  fileIds?: readonly string[];
  /** Status in the catalogue. A new book is a DRAFT; a PATCH of this field makes a transition. Default: `"DRAFT"`. */
  status?: 'DRAFT' | 'PUBLISHED' | 'UNPUBLISHED' | 'ARCHIVED';
  /** Whether it can be bought (ONIX list 64). FORTHCOMING needs a publicationDate. */
  tradeStatus?: 'FORTHCOMING' | 'POSTPONED' | 'ACTIVE' | 'OUT_OF_STOCK' | 'OUT_OF_PRINT' | 'WITHDRAWN' | 'CANCELLED' | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId?: string | null;
};

/** Body of "Change a book". */
export type BookPatch = {
  /** Title. */
  title?: string;
  /** Subtitle. */
  subtitle?: string | null;
  /** What the book is about. */
  description?: string | null;
  /** Language (BCP 47). */
  language?: string | '' | null;
  /** Contributors in order. */
  contributors?: readonly ContributorInput[];
  /** ISBN, unique, in any printed notation; thirteen digits are stored. */
  isbn13?: string | '' | null;
  /** DOI (ISO 26324), stored as the bare name in lower case; links to doi.org are accepted. */
  doi?: string | '' | null;
  /** Edition. */
  edition?: string | null;
  /** Series it belongs to. */
  seriesTitle?: string | null;
  /** Position in the series. */
  seriesPosition?: string | null;
  /** Format of the edition. */
  format?: 'HARDCOVER' | 'PAPERBACK' | 'EBOOK' | 'AUDIOBOOK' | null;
  /** Number of pages. */
  pageCount?: number | null;
  /** Publisher. */
  publisher?: string | null;
  /** Imprint. */
  imprint?: string | null;
  /** When this edition is or was published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  publicationDate?: string | '' | null;
  /** Subjects, the main one first. */
  subjects?: readonly SubjectInput[];
  /** Prices; at most one for each currency and territory. */
  prices?: readonly PriceInput[];
  /** A knowledge file shown as the cover. */
  coverFileId?: string | null;
  /** Attached knowledge files, in order. */
  fileIds?: readonly string[];
  /** Status in the catalogue. A new book is a DRAFT; a PATCH of this field makes a transition. */
  status?: 'DRAFT' | 'PUBLISHED' | 'UNPUBLISHED' | 'ARCHIVED';
  /** Whether it can be bought (ONIX list 64). FORTHCOMING needs a publicationDate. */
  tradeStatus?: 'FORTHCOMING' | 'POSTPONED' | 'ACTIVE' | 'OUT_OF_STOCK' | 'OUT_OF_PRINT' | 'WITHDRAWN' | 'CANCELLED' | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
};

/** Body of "Create a magazine". */
export type MagazineCreate = {
  /** Title. */
  title: string;
  /** Abbreviated title (ISO 4). */
  abbreviatedTitle?: string | null;
  /** What it is about. */
  description?: string | null;
  /** Language (BCP 47). */
  language?: string | '' | null;
  /** Publisher. */
  publisher?: string | null;
  /** Website. */
  websiteUrl?: string | '' | null;
  /** A knowledge file shown as the cover. */
  coverFileId?: string | null;
  /** ISSN of the print edition. Every ISSN is unique, in print and online. */
  issnPrint?: string | '' | null;
  /** ISSN of the online edition, different from that of the print edition. */
  issnOnline?: string | '' | null;
  /** How often it is published. */
  frequency?: 'DAILY' | 'SEMIWEEKLY' | 'WEEKLY' | 'BIWEEKLY' | 'SEMIMONTHLY' | 'MONTHLY' | 'BIMONTHLY' | 'QUARTERLY' | 'TRIANNUAL' | 'SEMIANNUAL' | 'ANNUAL' | 'IRREGULAR' | null;
  /** When it was first published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  startDate?: string | '' | null;
  /** When it was last published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  endDate?: string | '' | null;
  /** Status of the publication. CEASED requires an endDate. Default: `"PLANNED"`. */
  status?: 'PLANNED' | 'ACTIVE' | 'SUSPENDED' | 'CEASED';
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId?: string | null;
};

/** Body of "Change a magazine". */
export type MagazinePatch = {
  /** Title. */
  title?: string;
  /** Abbreviated title (ISO 4). */
  abbreviatedTitle?: string | null;
  /** What it is about. */
  description?: string | null;
  /** Language (BCP 47). */
  language?: string | '' | null;
  /** Publisher. */
  publisher?: string | null;
  /** Website. */
  websiteUrl?: string | '' | null;
  /** A knowledge file shown as the cover. */
  coverFileId?: string | null;
  /** ISSN of the print edition. Every ISSN is unique, in print and online. */
  issnPrint?: string | '' | null;
  /** ISSN of the online edition, different from that of the print edition. */
  issnOnline?: string | '' | null;
  /** How often it is published. */
  frequency?: 'DAILY' | 'SEMIWEEKLY' | 'WEEKLY' | 'BIWEEKLY' | 'SEMIMONTHLY' | 'MONTHLY' | 'BIMONTHLY' | 'QUARTERLY' | 'TRIANNUAL' | 'SEMIANNUAL' | 'ANNUAL' | 'IRREGULAR' | null;
  /** When it was first published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  startDate?: string | '' | null;
  /** When it was last published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  endDate?: string | '' | null;
  /** Status of the publication. CEASED requires an endDate. */
  status?: 'PLANNED' | 'ACTIVE' | 'SUSPENDED' | 'CEASED';
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
};

/** Body of "Create an issue". */
export type IssueCreate = {
  /** Volume, as printed. */
  volume?: string | null;
  /** Number as printed, such as "12", "3-4" or "iii". Together with year and volume it is unique in the magazine. */
  number?: string | null;
  /** Year. */
  year?: number | null;
  /** Title. At least one of title, number and coverDate is required. */
  title?: string | null;
  /** Date as on the cover. */
  coverDate?: string | null;
  /** When it is or was published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  publicationDate?: string | '' | null;
  /** Number of pages. */
  pageCount?: number | null;
  /** DOI (ISO 26324), stored as the bare name in lower case; links to doi.org are accepted. */
  doi?: string | '' | null;
  /** A knowledge file shown as the cover. */
  coverFileId?: string | null;
  /** Attached knowledge files, in order. Default: `[]`. */
  fileIds?: readonly string[];
  /** Access for readers. */
  accessStatus?: 'OPEN' | 'SUBSCRIPTION' | null;
  /** When it becomes free to read: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  openAccessDate?: string | '' | null;
  /** Articles in order, each at most once. Publishing the issue publishes those that are APPROVED. Default: `[]`. */
  contents?: readonly IssueContentInput[];
  /** Status. Setting PUBLISHED also publishes the APPROVED working versions of its articles; if one of them cannot be published, nothing changes. Going back from PUBLISHED to IN_PRODUCTION is a recall, which does not change articles. Default: `"PLANNED"`. */
  status?: 'PLANNED' | 'IN_PRODUCTION' | 'PUBLISHED' | 'ARCHIVED';
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId?: string | null;
};

/** Body of "Change an issue". */
export type IssuePatch = {
  /** Volume, as printed. */
  volume?: string | null;
  /** Number as printed, such as "12", "3-4" or "iii". Together with year and volume it is unique in the magazine. */
  number?: string | null;
  /** Year. */
  year?: number | null;
  /** Title. At least one of title, number and coverDate is required. */
  title?: string | null;
  /** Date as on the cover. */
  coverDate?: string | null;
  /** When it is or was published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  publicationDate?: string | '' | null;
  /** Number of pages. */
  pageCount?: number | null;
  /** DOI (ISO 26324), stored as the bare name in lower case; links to doi.org are accepted. */
  doi?: string | '' | null;
  /** A knowledge file shown as the cover. */
  coverFileId?: string | null;
  /** Attached knowledge files, in order. */
  fileIds?: readonly string[];
  /** Access for readers. */
  accessStatus?: 'OPEN' | 'SUBSCRIPTION' | null;
  /** When it becomes free to read: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  openAccessDate?: string | '' | null;
  /** Articles in order, each at most once. Publishing the issue publishes those that are APPROVED. */
  contents?: readonly IssueContentInput[];
  /** Status. Setting PUBLISHED also publishes the APPROVED working versions of its articles; if one of them cannot be published, nothing changes. Going back from PUBLISHED to IN_PRODUCTION is a recall, which does not change articles. */
  status?: 'PLANNED' | 'IN_PRODUCTION' | 'PUBLISHED' | 'ARCHIVED';
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
};

/** Body of "Create a contact". */
export type ContactCreate = {
  /** First name. */
  firstName?: string | null;
  /** Last name. */
  lastName?: string | null;
  /** Job title. */
  jobTitle?: string | null;
  /** E-mail addresses in order. Two contacts cannot have the same address. Default: `[]`. */
  emails?: readonly EmailAddressInput[];
  /** Phone numbers, in order. Default: `[]`. */
  phones?: readonly PhoneNumberInput[];
  /** Postal addresses, in order. Default: `[]`. */
  addresses?: readonly AddressInput[];
  /** IANA time zone. */
  timezone?: string | '' | null;
  /** Preferred language (BCP 47). */
  locale?: string | '' | null;
  /** Companies that the person belongs to, each at most once. Default: `[]`. */
  companies?: readonly ContactCompanyInput[];
  /** Lifecycle stage. */
  lifecycleStage?: 'SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER' | null;
  /** Status of the lead. */
  leadStatus?: 'NEW' | 'OPEN' | 'IN_PROGRESS' | 'UNQUALIFIED' | 'CONVERTED' | null;
  /** The member who is responsible for the record; must be active. */
  ownerUserId?: string | null;
  /** Labels, stored in lower case. Default: `[]`. */
  tags?: readonly string[];
  /** Where the contact comes from. */
  source?: string | null;
  /** Notes. */
  notes?: string | null;
  /** Whether the person asked not to be contacted. Default: `false`. */
  doNotContact?: boolean;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId?: string | null;
};

/** Body of "Change a contact". */
export type ContactPatch = {
  /** First name. */
  firstName?: string | null;
  /** Last name. */
  lastName?: string | null;
  /** Job title. */
  jobTitle?: string | null;
  /** E-mail addresses in order. Two contacts cannot have the same address. */
  emails?: readonly EmailAddressInput[];
  /** Phone numbers, in order. */
  phones?: readonly PhoneNumberInput[];
  /** Postal addresses, in order. */
  addresses?: readonly AddressInput[];
  /** IANA time zone. */
  timezone?: string | '' | null;
  /** Preferred language (BCP 47). */
  locale?: string | '' | null;
  /** Companies that the person belongs to, each at most once. */
  companies?: readonly ContactCompanyInput[];
  /** Lifecycle stage. */
  lifecycleStage?: 'SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER' | null;
  /** Status of the lead. */
  leadStatus?: 'NEW' | 'OPEN' | 'IN_PROGRESS' | 'UNQUALIFIED' | 'CONVERTED' | null;
  /** The member who is responsible for the record; must be active. */
  ownerUserId?: string | null;
  /** Labels, stored in lower case. */
  tags?: readonly string[];
  /** Where the contact comes from. */
  source?: string | null;
  /** Notes. */
  notes?: string | null;
  /** Whether the person asked not to be contacted. */
  doNotContact?: boolean;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
};

/** Body of "Create a company". */
export type CompanyCreate = {
  /** Name. */
  name: string;
  /** Domains, unique; links are accepted, the domain without www. is stored. Default: `[]`. */
  domains?: readonly string[];
  /** Website. */
  websiteUrl?: string | '' | null;
  /** Industry. */
  industry?: string | null;
  /** Number of employees. */
  employeeCount?: number | null;
  /** An amount of money. */
  annualRevenue?: MoneyInput | null;
  /** The parent company. A company cannot be its own ancestor. */
  parentCompanyId?: string | null;
  /** Phone numbers, in order. Default: `[]`. */
  phones?: readonly PhoneNumberInput[];
  /** Postal addresses, in order. Default: `[]`. */
  addresses?: readonly AddressInput[];
  /** The member who is responsible for the record; must be active. */
  ownerUserId?: string | null;
  /** Labels, stored in lower case. Default: `[]`. */
  tags?: readonly string[];
  /** Lifecycle stage. */
  lifecycleStage?: 'SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER' | null;
  /** What it does. */
  description?: string | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId?: string | null;
};

/** Body of "Change a company". */
export type CompanyPatch = {
  /** Name. */
  name?: string;
  /** Domains, unique; links are accepted, the domain without www. is stored. */
  domains?: readonly string[];
  /** Website. */
  websiteUrl?: string | '' | null;
  /** Industry. */
  industry?: string | null;
  /** Number of employees. */
  employeeCount?: number | null;
  /** An amount of money. */
  annualRevenue?: MoneyPatch | null;
  /** The parent company. A company cannot be its own ancestor. */
  parentCompanyId?: string | null;
  /** Phone numbers, in order. */
  phones?: readonly PhoneNumberInput[];
  /** Postal addresses, in order. */
  addresses?: readonly AddressInput[];
  /** The member who is responsible for the record; must be active. */
  ownerUserId?: string | null;
  /** Labels, stored in lower case. */
  tags?: readonly string[];
  /** Lifecycle stage. */
  lifecycleStage?: 'SUBSCRIBER' | 'LEAD' | 'QUALIFIED' | 'OPPORTUNITY' | 'CUSTOMER' | 'EVANGELIST' | 'OTHER' | null;
  /** What it does. */
  description?: string | null;
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
};

/** Body of "Create a webhook endpoint". */
export type WebhookEndpointCreate = {
  /** Where events are sent: an https URL on the public Internet, without user name and password, on port 80, 443 or above 1023. Private addresses are refused unless the operator allows them. */
  url: string;
  /** The event types that are sent: single types such as `article.published`, all types of a resource with `article.*`, everything with `*`. Default: `[]`. */
  eventTypes: readonly string[];
  /** The sites whose events are sent: those of the site itself and of its articles, categories and tags. Events of what belongs to no site, such as contacts and books, are then not sent. Null: everything is sent. A site that is deleted stays in the list: its `site.deleted` is sent, and its events again after it is restored. */
  siteIds?: readonly string[] | null;
  /** THIN says what changed and where to read it. FULL adds the record, as the user on whose behalf it is sent may read it at the time of the call, and of a deletion the record as it was, while it is in the trash; setting it requires a token with the `:read` scopes of all resources whose events are sent. While this user has no role that may manage webhook endpoints, nothing is sent. Default: `"THIN"`. */
  payload?: 'THIN' | 'FULL';
  /** Purpose of the endpoint. */
  description?: string | null;
  /** Nothing is sent to a DISABLED endpoint, and no events are queued for it. An endpoint is disabled automatically when it responds with 410, when all calls fail for five days, or when the account on whose behalf it is sent is claimed. Default: `"ENABLED"`. */
  status?: 'ENABLED' | 'DISABLED';
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
  /** What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes. */
  importId?: string | null;
};

/** Body of "Change a webhook endpoint". */
export type WebhookEndpointPatch = {
  /** Where events are sent: an https URL on the public Internet, without user name and password, on port 80, 443 or above 1023. Private addresses are refused unless the operator allows them. */
  url?: string;
  /** The event types that are sent: single types such as `article.published`, all types of a resource with `article.*`, everything with `*`. */
  eventTypes?: readonly string[];
  /** The sites whose events are sent: those of the site itself and of its articles, categories and tags. Events of what belongs to no site, such as contacts and books, are then not sent. Null: everything is sent. A site that is deleted stays in the list: its `site.deleted` is sent, and its events again after it is restored. */
  siteIds?: readonly string[] | null;
  /** THIN says what changed and where to read it. FULL adds the record, as the user on whose behalf it is sent may read it at the time of the call, and of a deletion the record as it was, while it is in the trash; setting it requires a token with the `:read` scopes of all resources whose events are sent. While this user has no role that may manage webhook endpoints, nothing is sent. */
  payload?: 'THIN' | 'FULL';
  /** Purpose of the endpoint. */
  description?: string | null;
  /** Nothing is sent to a DISABLED endpoint, and no events are queued for it. An endpoint is disabled automatically when it responds with 410, when all calls fail for five days, or when the account on whose behalf it is sent is claimed. */
  status?: 'ENABLED' | 'DISABLED';
  /** Your key for this record, unique per organization and type; used by imports and synchronizations. */
  externalId?: string | null;
};

/** Body of "Replay the events of a time span". */
export type WebhookReplayCreate = {
  /** Events that happened at or after this instant. */
  from: string;
  /** Events that happened before this instant; until now when absent. */
  to?: string;
};

/** Body of "Change an organization". */
export type OrganizationPatch = {
  /** Display name. */
  name?: string;
  /** Country of phone numbers that are written without one, by code (ISO 3166-1) or name; two letters are stored. */
  defaultCountry?: string | '' | null;
  /** The parts of the product that are switched on. What belongs to another one gets 403 `module_disabled`, and stays stored. */
  modules?: readonly ('cms' | 'publishing' | 'knowledge' | 'crm' | 'visitors' | 'sandbox')[];
  /** Whether a session needs two factors to enter the organization. Bearer tokens do not. */
  mfaRequired?: boolean;
  /** For how many days the history of records is kept; at least as long as Idempotency-Keys are. What is older is deleted within a day. */
  historyDays?: number;
  /** All calls of a SUSPENDED organization are refused, this one included: only an operator makes it ACTIVE again. */
  status?: 'ACTIVE' | 'SUSPENDED';
};

/** Body of "Create a role". */
export type RoleCreate = {
  /** Short name of the role, unique in the organization. That of a built-in role is in capitals. */
  key: string;
  /** Display name. */
  name: string;
  /** The permissions. A role that may do something with a resource may also read it. Default: `[]`. */
  grants?: readonly GrantInput[];
};

/** Body of "Change a role". */
export type RolePatch = {
  /** Short name of the role, unique in the organization. That of a built-in role is in capitals. */
  key?: string;
  /** Display name. */
  name?: string;
  /** The permissions. A role that may do something with a resource may also read it. */
  grants?: readonly GrantInput[];
};

/** Body of "Create a member". */
export type MemberCreate = {
  /** Name of the person or of the program. */
  name: string;
  /** The person who is responsible for a service member; by default the caller. Null for a person. */
  responsibleUserId?: string | null;
  /** The role of the member, which says what the member may do. */
  roleId: string;
  /** The tokens and sessions of a DISABLED member are refused. Default: `"ACTIVE"`. */
  status?: 'ACTIVE' | 'DISABLED';
};

/** Body of "Change a member". */
export type MemberPatch = {
  /** Name of the person or of the program. */
  name?: string;
  /** The person who is responsible for a service member; by default the caller. Null for a person. */
  responsibleUserId?: string | null;
  /** The role of the member, which says what the member may do. */
  roleId?: string;
  /** The tokens and sessions of a DISABLED member are refused. */
  status?: 'ACTIVE' | 'DISABLED';
};

/** Body of "Create an invitation". */
export type InvitationCreate = {
  /** E-mail address of the invited person. The account with this address becomes a member. */
  email: string;
  /** The role of the new member. It cannot permit more than the role of the caller. */
  roleId: string;
};

/** Body of "Create a client". */
export type ClientCreate = {
  /** Name of the application, unique in the organization. */
  name: string;
  /** What the application is. It cannot be changed. Default: `"SERVER"`. */
  kind?: 'SERVER' | 'CONSOLE' | 'CLI' | 'BROWSER';
  /** The tokens, the sessions and the publishable key of a DISABLED client are refused. Default: `"ACTIVE"`. */
  status?: 'ACTIVE' | 'DISABLED';
  /** Of the kind BROWSER: the site whose pages use the publishable key. It cannot be changed. */
  siteId?: string | null;
  /** Of the kind BROWSER: scheme, host and port of all pages that may use the publishable key, such as `https://www.example.com`. Empty for other kinds. Default: `[]`. */
  origins?: readonly string[];
};

/** Body of "Change a client". */
export type ClientPatch = {
  /** Name of the application, unique in the organization. */
  name?: string;
  /** What the application is. It cannot be changed. */
  kind?: 'SERVER' | 'CONSOLE' | 'CLI' | 'BROWSER';
  /** The tokens, the sessions and the publishable key of a DISABLED client are refused. */
  status?: 'ACTIVE' | 'DISABLED';
  /** Of the kind BROWSER: the site whose pages use the publishable key. It cannot be changed. */
  siteId?: string | null;
  /** Of the kind BROWSER: scheme, host and port of all pages that may use the publishable key, such as `https://www.example.com`. Empty for other kinds. */
  origins?: readonly string[];
};

/** Body of "Create a token". */
export type TokenCreate = {
  /** What the token is for. */
  name: string;
  /** The client that the token belongs to. Not of the kind BROWSER or CONSOLE. */
  clientId: string;
  /** The member that the token acts for: the caller, who is meant unless given, or a service member. */
  userId?: string;
  /** What the token may do, as far as the role of the user permits it. Default: `[]`. */
  scopes: readonly string[];
  /** The interfaces that the token is for; `api` unless given. Default: `[]`. */
  resources?: readonly ('api' | 'sandbox')[];
  /** Days from its creation until the token expires. Default: `90`. */
  lifetimeDays?: number;
  /** Whether the token never expires, whatever `lifetimeDays` says. Default: `false`. */
  neverExpires?: boolean;
};

/** Body of "Change a token". */
export type TokenPatch = {
  /** What the token is for. */
  name?: string;
  /** The client that the token belongs to. Not of the kind BROWSER or CONSOLE. */
  clientId?: string;
  /** The member that the token acts for: the caller, who is meant unless given, or a service member. */
  userId?: string;
  /** What the token may do, as far as the role of the user permits it. */
  scopes?: readonly string[];
  /** The interfaces that the token is for; `api` unless given. */
  resources?: readonly ('api' | 'sandbox')[];
  /** Days from its creation until the token expires. */
  lifetimeDays?: number;
  /** Whether the token never expires, whatever `lifetimeDays` says. */
  neverExpires?: boolean;
};

/** Body of "Replace a token". */
export type TokenRotationCreate = {
  /** For how long the old token is still accepted; a day unless given. Default: `86400`. */
  overlapSeconds?: number;
};

/** Body of "Create a view". */
export type ViewCreate = {
  /** Display name, unique among the shared views of a resource and among the private ones of a user. */
  name: string;
  /** The resource whose list it is. Lists below a parent have the same views below every parent. */
  resource: 'sites' | 'categories' | 'tags' | 'knowledge-files' | 'articles' | 'books' | 'magazines' | 'issues' | 'contacts' | 'companies' | 'members';
  /** The query string of the list: its filters, `search` and `sort`. Stored in the order of the names, without parameters that are empty. Default: `""`. */
  query?: string;
  /** The fields that are shown, by their dotted names, in this order; none for those that are shown by default. A hyphen and a number after a name are the width in pixels, from 60 to 1000. Default: `[]`. */
  columns?: readonly string[];
  /** Whether the list is a table, or a gallery of pictures, which lists of records with pictures can be. Default: `"TABLE"`. */
  layout?: 'TABLE' | 'GALLERY';
  /** Whether others see the view too, which requires the permission to publish views. Default: `false`. */
  shared?: boolean;
};

/** Body of "Change a view". */
export type ViewPatch = {
  /** Display name, unique among the shared views of a resource and among the private ones of a user. */
  name?: string;
  /** The resource whose list it is. Lists below a parent have the same views below every parent. */
  resource?: 'sites' | 'categories' | 'tags' | 'knowledge-files' | 'articles' | 'books' | 'magazines' | 'issues' | 'contacts' | 'companies' | 'members';
  /** The query string of the list: its filters, `search` and `sort`. Stored in the order of the names, without parameters that are empty. */
  query?: string;
  /** The fields that are shown, by their dotted names, in this order; none for those that are shown by default. A hyphen and a number after a name are the width in pixels, from 60 to 1000. */
  columns?: readonly string[];
  /** Whether the list is a table, or a gallery of pictures, which lists of records with pictures can be. */
  layout?: 'TABLE' | 'GALLERY';
  /** Whether others see the view too, which requires the permission to publish views. */
  shared?: boolean;
};

/** Body of "Identify a visitor". */
export type VisitorIdentificationCreate = {
  /** Version of the agent that collected the signals. */
  agentVersion: string;
  /** The `storedToken` of the preceding response, unchanged. One that is not valid counts as none. */
  storedToken?: string;
  /** What the browser tells about itself. */
  signals: VisitorIdentificationSignalsInput;
  /** What the visitor said about being recognized. After DENIED nothing is kept beyond a day. */
  consent: 'GRANTED' | 'DENIED' | 'UNKNOWN';
  /** Where the visitor is. */
  page: VisitorIdentificationPageInput;
};

export type FocalPoint = {
  /** Percent from the left. */
  x: number;
  /** Percent from the top. */
  y: number;
};

/** One author. */
export type ArticleAuthor = {
  /** Name as printed. */
  name: string;
  /** The member this author is, if any. */
  userId: string | null;
};

/** Fields of the article, which are the same for all its versions. */
export type ArticleData = {
  /** Whether readers may comment. */
  allowComments: boolean;
  /** Categories of the same site, in order. */
  categoryIds: readonly string[];
  /** The main category, one of `categoryIds`. */
  primaryCategoryId: string | null;
  /** Tags of the same site, in order. */
  tagIds: readonly string[];
  /** Authors in order. */
  authors: readonly ArticleAuthor[];
  /** Part of the URL, unique in the site. Generated from the title when not given. */
  slug: string;
  /** When the article was published for the first time; null before. Set by the first publication, unless it was given, and kept by later ones. Giving or changing it requires `articles:publish`. */
  firstPublishedAt: string | null;
  /** Whether the site features the article. */
  featured: boolean;
  /** URL of the original, if this is a copy. */
  canonicalUrl: string | null;
};

export type SearchPreview = {
  /** Title for search engines. */
  title: string | null;
  /** Description for search engines. */
  description: string | null;
  /** Whether search engines are asked not to list the page. */
  noIndex: boolean;
};

/** Fields of one version. In a record: the working version, or the published one. */
export type VersionData = {
  /** Title. */
  title: string;
  /** Subtitle. */
  subtitle: string | null;
  /** A few sentences for lists. */
  summary: string | null;
  /** The text, stored byte for byte as sent; at most 512 KiB of UTF-8. */
  body: string | null;
  /** The markup of `body`. HTML is stored as sent: sanitize it before displaying it. */
  bodyFormat: 'MARKDOWN' | 'HTML';
  /** Language (BCP 47). By default that of the site. */
  locale: string;
  /** A knowledge file shown as the cover. */
  coverFileId: string | null;
  /** Metadata for search engines. */
  seo: SearchPreview | null;
  /** Why this version exists. */
  changeNote: string | null;
  /** Why the article was sent back from review, given with the change of `status` to DRAFT. Belongs to the version that follows the one in review. Giving or changing it requires `articles:publish`. */
  returnNote: string | null;
  /** When to publish; required for SCHEDULED. The publication happens within 5 s of this time. In the future, at most 5 years ahead. */
  scheduledFor: string | null;
  /** When to unpublish this version. After this time it cannot be published. In the future, at most 5 years ahead. */
  unpublishAt: string | null;
  /** Status of the version. A new version is always a DRAFT; a PATCH of this field makes a transition. A version becomes SUPERSEDED only when a newer version is published. | from | to | requires besides `articles:write` | | --- | --- | --- | | DRAFT | IN_REVIEW | | | DRAFT | SCHEDULED | `articles:publish` | | DRAFT | PUBLISHED | `articles:publish` | | DRAFT | ARCHIVED | `articles:publish` | | IN_REVIEW | APPROVED | `articles:publish` | | IN_REVIEW | DRAFT | `articles:publish` | | APPROVED | SCHEDULED | `articles:publish` | | APPROVED | PUBLISHED | `articles:publish` | | SCHEDULED | PUBLISHED | `articles:publish` | | SCHEDULED | DRAFT | | | PUBLISHED | UNPUBLISHED | `articles:publish` | | UNPUBLISHED | ARCHIVED | `articles:publish` | | SUPERSEDED | ARCHIVED | `articles:publish` | */
  status: 'DRAFT' | 'IN_REVIEW' | 'APPROVED' | 'SCHEDULED' | 'PUBLISHED' | 'UNPUBLISHED' | 'SUPERSEDED' | 'ARCHIVED';
  /** Number of the version, from 1. */
  versionNumber: number;
  /** When this version was published. */
  publishedAt: string | null;
  /** When this version was submitted for review. Afterwards an edit opens the next version. */
  submittedAt: string | null;
  /** Who submitted this version. */
  submittedBy: string | null;
  /** When the article was sent back from review, which this version follows. */
  returnedAt: string | null;
  /** Who sent the article back. */
  returnedBy: string | null;
  /** Words that readers see of `body`, without markup. */
  wordCount: number;
};

/** One contributor. */
export type Contributor = {
  /** Name as printed. */
  name: string;
  /** What the person did. */
  role: 'AUTHOR' | 'EDITOR' | 'ILLUSTRATOR' | 'TRANSLATOR' | 'NARRATOR' | 'OTHER';
  /** Position among the contributors of the same role, where it differs from the order of the list. */
  position: number | null;
};

/** One subject. */
export type Subject = {
  /** Classification scheme of the code. */
  scheme: 'THEMA' | 'BISAC' | 'CUSTOM';
  /** The code. */
  code: string;
  /** The code in words. */
  label: string | null;
};

/** One price. */
export type Price = {
  /** Decimal number as text, which avoids rounding; up to 15 digits and 6 decimals. */
  amount: string;
  /** ISO 4217 code of a currency in use. */
  currency: string;
  /** The country that the price applies to, by code (ISO 3166-1) or name; null for all. Two letters are stored. */
  territory: string | null;
};

/** One article of the issue. */
export type IssueContent = {
  /** The article, of any site. */
  articleId: string;
  /** Section of the issue. */
  section: string | null;
  /** First page, as printed. */
  pageStart: string | null;
  /** Last page, as printed. */
  pageEnd: string | null;
};

/** One e-mail address. */
export type EmailAddress = {
  /** Address as typed. Letter case and the script of the domain are ignored in comparisons. */
  address: string;
  /** Label of the address. */
  label: string | null;
  /** Whether this is the primary item; at most one item of the list is. */
  isPrimary: boolean;
};

/** One phone number. */
export type PhoneNumber = {
  /** The number as typed, in any notation, also with an extension or as a `tel:` address. */
  number: string;
  /** The country of a number without +, by code (ISO 3166-1) or name; two letters are stored. By default the country of the organization. */
  country: string | null;
  /** Label, such as "work". */
  label: string | null;
  /** Whether this is the primary item; at most one item of the list is. */
  isPrimary: boolean;
  /** The number in international form (E.164), which comparisons and searches use; null for one that only its country can dial, such as 110. */
  e164: string | null;
};

/** One postal address. */
export type Address = {
  /** Street and number; several lines are allowed. */
  street: string | null;
  /** City. */
  city: string | null;
  /** State, province or region. */
  region: string | null;
  /** Postal code. */
  postalCode: string | null;
  /** Country, by code (ISO 3166-1) or name; two letters are stored. */
  country: string | null;
};

/** One company. */
export type ContactCompany = {
  /** The company. */
  companyId: string;
  /** Role of the person in the company. */
  role: string | null;
  /** Whether this is the primary item; at most one item of the list is. */
  isPrimary: boolean;
};

export type Money = {
  /** Decimal number as text, which avoids rounding; up to 15 digits and 6 decimals. */
  amount: string;
  /** ISO 4217 code of a currency in use. */
  currency: string;
};

/** One permission. */
export type Grant = {
  /** A resource of the permission matrix. */
  resource: string;
  /** What members with the role may do. */
  action: 'read' | 'create' | 'update' | 'delete' | 'publish';
  /** Whether only with records that the member created. */
  own: boolean;
};

/** The organization of the token. */
export type MeOrganization = {
  /** Id of the organization. */
  id: string;
  /** Short name of the organization. */
  key: string;
  /** Display name of the organization. */
  name: string;
  /** Country of phone numbers that are written without one, by code (ISO 3166-1) or name; two letters are stored. */
  defaultCountry: string | null;
  /** Whether sessions need two factors. */
  mfaRequired: boolean;
};

/** The user of the token. */
export type MeUser = {
  /** Id of the user. */
  id: string;
  /** Name of the user. */
  name: string;
  /** E-mail address of the user; null for a service member. */
  email: string | null;
  /** PERSON: signs in. SERVICE: a program that acts with tokens only. */
  kind: 'PERSON' | 'SERVICE';
  /** The person who is responsible for a service member; null for a person. */
  responsibleUserId: string | null;
};

/** The application that the token belongs to. */
export type MeClient = {
  /** Id of the client. */
  id: string;
  /** Name of the client. */
  name: string;
  /** What kind of application it is. */
  kind: 'SERVER' | 'CONSOLE' | 'CLI' | 'BROWSER';
};

/** The role of the user in the organization. */
export type MeRole = {
  /** Id of the role. */
  id: string;
  /** Key of the role. */
  key: string;
  /** Display name of the role. */
  name: string;
  /** Whether the role is built in. */
  builtIn: boolean;
  /** What the role permits. */
  grants: readonly Grant[];
};

export type MeSignIn = {
  /** When the person last proved who they are. */
  authenticatedAt: string;
  /** By which methods. */
  methods: readonly ('PASSWORD' | 'TOTP' | 'RECOVERY_CODE' | 'PASSKEY' | 'EXTERNAL' | 'LINK')[];
  /** Whether with two factors. */
  multiFactor: boolean;
};

export type ArticleVersionDifferenceFields = {
  /** Dotted name of the field. */
  field: string;
  /** Its value in `from`: any JSON value. */
  before: unknown;
  /** Its value in `to`: any JSON value. */
  after: unknown;
};

export type ArticleVersionDifferenceBody = {
  /** First line in `from`, from 1; if there is none, the line before. */
  beforeStart: number;
  /** Number of lines in `from`. */
  beforeLines: number;
  /** First line in `to`, from 1; if there is none, the line before. */
  afterStart: number;
  /** Number of lines in `to`. */
  afterLines: number;
  /** The lines, each with a prefix: a space (in both), `-` (only in `from`) or `+` (only in `to`). */
  lines: readonly string[];
};

/** How sure it is who this is. */
export type Confidence = {
  /** Estimated probability that the id is the right one: 0.99 by a stored token and the same signals, 0.95 by a stored token, at most 0.6 by signals alone, 0.5 for a new visitor, 0 for a bot. */
  score: number;
};

/** The browser, as its own headers tell. */
export type VisitorBrowser = {
  /** Name; `unknown` if it cannot be determined. */
  name: string;
  /** Version; `unknown` if it cannot be determined. */
  version: string;
};

/** The device, as far as the headers tell. */
export type VisitorDevice = {
  /** Kind of device; `bot` is any client that is not a person with a browser. */
  type: 'desktop' | 'mobile' | 'tablet' | 'tv' | 'bot' | 'unknown';
};

/** One change of the interface. */
export type VisitorLookupChangelogChanges = {
  /** Day of the change. */
  date: string;
  /** What happened. Within `/v1`, nothing is removed that was not deprecated for 24 months. */
  kind: 'ADDED' | 'DEPRECATED' | 'REMOVED';
  /** The changed members, as `schema.member`. */
  members: readonly string[];
  /** The change in words. */
  summary: string;
  /** Digest of the whole shape after the change. */
  shape: string;
};

/** The visits of a site on a day. */
export type VisitCountsItems = {
  /** The day, in the requested time zone. */
  day: string;
  /** The site. */
  siteId: string;
  /** Visits. */
  visits: number;
  /** Different visitors. */
  visitors: number;
};

/** Who made the change. */
export type LoggedEventActor = {
  /** The user; null for changes of the system itself. */
  user: string | null;
  /** The client; null for changes of the system itself. */
  client: string | null;
  /** The token; null for changes of the system itself. */
  token: string | null;
  /** How the person of a session signed in (`PASSWORD`, `TOTP`, `RECOVERY_CODE`, `PASSKEY`, `EXTERNAL`, `LINK`); null for a bearer token. */
  methods: readonly string[] | null;
  /** Id of the request. */
  requestId: string;
};

/** What happened to which record, and who did it. */
export type LoggedEventData = {
  /** Kind of the record, as in `type`. */
  resource: string;
  /** Id of the record. */
  id: string;
  /** Path of the record, also after its deletion; null for records without a path. */
  url: string | null;
  /** Version of the record after the change. It orders the events of one record. */
  version: number;
  /** Dotted names of the fields that changed. */
  changedFields: readonly string[];
  /** Who made the change. */
  actor: LoggedEventActor;
};

/** A record, and what was done with it. */
export type ActivityItemsNewest = {
  /** Id of the record. */
  id: string;
  /** Address of the record, also after its deletion; null for one without an address. */
  url: string | null;
  /** What the record is called now; null where it is deleted, or may not be read. */
  title: string | null;
  /** What was done, as in the types of events, the newest first, each once. */
  actions: readonly string[];
  /** When the last of these changes was made. */
  changedAt: string;
};

/** What one person did with records of one kind, without a pause of half an hour. Updates are apart from everything else that was done. */
export type ActivityItems = {
  /** Kind of the records, as in the types of events. */
  resource: string;
  /** Who did it; null for the system itself. */
  user: string | null;
  /** The name of the member; null where members may not be read, or the person has left. */
  userName: string | null;
  /** What was done, as in the types of events, the newest first, each once. */
  actions: readonly string[];
  /** When the first of these changes was made. */
  startedAt: string;
  /** When the last of these changes was made. */
  changedAt: string;
  /** Number of events. */
  events: number;
  /** Number of records. */
  records: number;
  /** The records that were changed last, 6 at most. */
  newest: readonly ActivityItemsNewest[];
};

/** How many records have a value. */
export type CountsItems = {
  /** The value; null for records without one. */
  value: string | null;
  /** How many records have it; at least so many, if the count is not exact. */
  count: number;
  /** Whether there are exactly so many. */
  isExact: boolean;
};

export type ProblemUsedBy = {
  /** The referring resource. */
  resource: string;
  /** Number of referring records. */
  count: number;
};

export type ProblemUses = {
  /** Kind of the record. */
  type: string;
  /** Id of the record. */
  id: string;
  /** Its path below the address of the server. */
  path: string;
  /** Its title; may be empty. */
  title: string;
  /** Whether readers see the use: the published version has it, or the record is published. Null for kinds of records that are not published, such as contacts. */
  published: boolean | null;
};

/** A write. */
export type BatchItemsInput = {
  /** What is to be done. */
  op: 'create' | 'update' | 'upsert' | 'delete';
  /** Path of the collection that the item belongs to; that of the batch if absent. */
  collection?: string;
  /** The record to change or delete. */
  id?: string;
  /** Of an upsert: the value by which the record is found, as in a PUT. */
  matching?: string;
  /** The version that the record must have; otherwise the item is refused with `version_mismatch`. */
  ifMatch?: number;
  /** The body that the request alone would have: that of a creation, or a merge patch for a change or an upsert. */
  data?: SiteCreate | SitePatch | CategoryCreate | CategoryPatch | TagCreate | TagPatch | KnowledgeFilePatch | ArticleCreate | ArticlePatch | BookCreate | BookPatch | MagazineCreate | MagazinePatch | IssueCreate | IssuePatch | ContactCreate | ContactPatch | CompanyCreate | CompanyPatch | ViewCreate | ViewPatch;
};

export type FocalPointInput = {
  /** Percent from the left. */
  x: number;
  /** Percent from the top. */
  y: number;
};

export type FocalPointPatch = {
  /** Percent from the left. */
  x?: number;
  /** Percent from the top. */
  y?: number;
};

/** One author. */
export type ArticleAuthorInput = {
  /** Name as printed. */
  name: string;
  /** The member this author is, if any. */
  userId?: string | null;
};

/** Fields of the article, which are the same for all its versions. */
export type ArticleDataInput = {
  /** Whether readers may comment. Default: `false`. */
  allowComments?: boolean;
  /** Categories of the same site, in order. Default: `[]`. */
  categoryIds?: readonly string[];
  /** The main category, one of `categoryIds`. */
  primaryCategoryId?: string | null;
  /** Tags of the same site, in order. Default: `[]`. */
  tagIds?: readonly string[];
  /** Authors in order. Default: `[]`. */
  authors?: readonly ArticleAuthorInput[];
  /** Part of the URL, unique in the site. Generated from the title when not given. */
  slug?: string;
  /** When the article was published for the first time; null before. Set by the first publication, unless it was given, and kept by later ones. Giving or changing it requires `articles:publish`. */
  firstPublishedAt?: string | null;
  /** Whether the site features the article. Default: `false`. */
  featured?: boolean;
  /** URL of the original, if this is a copy. */
  canonicalUrl?: string | '' | null;
};

export type SearchPreviewInput = {
  /** Title for search engines. */
  title?: string | null;
  /** Description for search engines. */
  description?: string | null;
  /** Whether search engines are asked not to list the page. Default: `false`. */
  noIndex?: boolean;
};

/** Fields of one version. In a record: the working version, or the published one. */
export type VersionDataInput = {
  /** Title. */
  title: string;
  /** Subtitle. */
  subtitle?: string | null;
  /** A few sentences for lists. */
  summary?: string | null;
  /** The text, stored byte for byte as sent; at most 512 KiB of UTF-8. */
  body?: string | null;
  /** The markup of `body`. HTML is stored as sent: sanitize it before displaying it. Default: `"MARKDOWN"`. */
  bodyFormat?: 'MARKDOWN' | 'HTML';
  /** Language (BCP 47). By default that of the site. */
  locale?: string;
  /** A knowledge file shown as the cover. */
  coverFileId?: string | null;
  /** Metadata for search engines. */
  seo?: SearchPreviewInput | null;
  /** Why this version exists. */
  changeNote?: string | null;
  /** Why the article was sent back from review, given with the change of `status` to DRAFT. Belongs to the version that follows the one in review. Giving or changing it requires `articles:publish`. */
  returnNote?: string | null;
  /** When to publish; required for SCHEDULED. The publication happens within 5 s of this time. In the future, at most 5 years ahead. */
  scheduledFor?: string | null;
  /** When to unpublish this version. After this time it cannot be published. In the future, at most 5 years ahead. */
  unpublishAt?: string | null;
  /** Status of the version. A new version is always a DRAFT; a PATCH of this field makes a transition. A version becomes SUPERSEDED only when a newer version is published. | from | to | requires besides `articles:write` | | --- | --- | --- | | DRAFT | IN_REVIEW | | | DRAFT | SCHEDULED | `articles:publish` | | DRAFT | PUBLISHED | `articles:publish` | | DRAFT | ARCHIVED | `articles:publish` | | IN_REVIEW | APPROVED | `articles:publish` | | IN_REVIEW | DRAFT | `articles:publish` | | APPROVED | SCHEDULED | `articles:publish` | | APPROVED | PUBLISHED | `articles:publish` | | SCHEDULED | PUBLISHED | `articles:publish` | | SCHEDULED | DRAFT | | | PUBLISHED | UNPUBLISHED | `articles:publish` | | UNPUBLISHED | ARCHIVED | `articles:publish` | | SUPERSEDED | ARCHIVED | `articles:publish` | Default: `"DRAFT"`. */
  status?: 'DRAFT' | 'IN_REVIEW' | 'APPROVED' | 'SCHEDULED' | 'PUBLISHED' | 'UNPUBLISHED' | 'SUPERSEDED' | 'ARCHIVED';
};

/** Fields of the article, which are the same for all its versions. */
export type ArticleDataPatch = {
  /** Whether readers may comment. */
  allowComments?: boolean;
  /** Categories of the same site, in order. */
  categoryIds?: readonly string[];
  /** The main category, one of `categoryIds`. */
  primaryCategoryId?: string | null;
  /** Tags of the same site, in order. */
  tagIds?: readonly string[];
  /** Authors in order. */
  authors?: readonly ArticleAuthorInput[];
  /** Part of the URL, unique in the site. Generated from the title when not given. */
  slug?: string;
  /** When the article was published for the first time; null before. Set by the first publication, unless it was given, and kept by later ones. Giving or changing it requires `articles:publish`. */
  firstPublishedAt?: string | null;
  /** Whether the site features the article. */
  featured?: boolean;
  /** URL of the original, if this is a copy. */
  canonicalUrl?: string | '' | null;
};

export type SearchPreviewPatch = {
  /** Title for search engines. */
  title?: string | null;
  /** Description for search engines. */
  description?: string | null;
  /** Whether search engines are asked not to list the page. */
  noIndex?: boolean | null;
};

/** Fields of one version. In a record: the working version, or the published one. */
export type VersionDataPatch = {
  /** Title. */
  title?: string;
  /** Subtitle. */
  subtitle?: string | null;
  /** A few sentences for lists. */
  summary?: string | null;
  /** The text, stored byte for byte as sent; at most 512 KiB of UTF-8. */
  body?: string | null;
  /** The markup of `body`. HTML is stored as sent: sanitize it before displaying it. */
  bodyFormat?: 'MARKDOWN' | 'HTML';
  /** Language (BCP 47). By default that of the site. */
  locale?: string;
  /** A knowledge file shown as the cover. */
  coverFileId?: string | null;
  /** Metadata for search engines. */
  seo?: SearchPreviewPatch | null;
  /** Why this version exists. */
  changeNote?: string | null;
  /** Why the article was sent back from review, given with the change of `status` to DRAFT. Belongs to the version that follows the one in review. Giving or changing it requires `articles:publish`. */
  returnNote?: string | null;
  /** When to publish; required for SCHEDULED. The publication happens within 5 s of this time. In the future, at most 5 years ahead. */
  scheduledFor?: string | null;
  /** When to unpublish this version. After this time it cannot be published. In the future, at most 5 years ahead. */
  unpublishAt?: string | null;
  /** Status of the version. A new version is always a DRAFT; a PATCH of this field makes a transition. A version becomes SUPERSEDED only when a newer version is published. | from | to | requires besides `articles:write` | | --- | --- | --- | | DRAFT | IN_REVIEW | | | DRAFT | SCHEDULED | `articles:publish` | | DRAFT | PUBLISHED | `articles:publish` | | DRAFT | ARCHIVED | `articles:publish` | | IN_REVIEW | APPROVED | `articles:publish` | | IN_REVIEW | DRAFT | `articles:publish` | | APPROVED | SCHEDULED | `articles:publish` | | APPROVED | PUBLISHED | `articles:publish` | | SCHEDULED | PUBLISHED | `articles:publish` | | SCHEDULED | DRAFT | | | PUBLISHED | UNPUBLISHED | `articles:publish` | | UNPUBLISHED | ARCHIVED | `articles:publish` | | SUPERSEDED | ARCHIVED | `articles:publish` | */
  status?: 'DRAFT' | 'IN_REVIEW' | 'APPROVED' | 'SCHEDULED' | 'PUBLISHED' | 'UNPUBLISHED' | 'SUPERSEDED' | 'ARCHIVED';
};

/** One contributor. */
export type ContributorInput = {
  /** Name as printed. */
  name: string;
  /** What the person did. */
  role: 'AUTHOR' | 'EDITOR' | 'ILLUSTRATOR' | 'TRANSLATOR' | 'NARRATOR' | 'OTHER';
  /** Position among the contributors of the same role, where it differs from the order of the list. */
  position?: number | null;
};

/** One subject. */
export type SubjectInput = {
  /** Classification scheme of the code. */
  scheme: 'THEMA' | 'BISAC' | 'CUSTOM';
  /** The code. */
  code: string;
  /** The code in words. */
  label?: string | null;
};

/** One price. */
export type PriceInput = {
  /** Decimal number as text, which avoids rounding; up to 15 digits and 6 decimals. */
  amount: string;
  /** ISO 4217 code of a currency in use. */
  currency: string;
  /** The country that the price applies to, by code (ISO 3166-1) or name; null for all. Two letters are stored. */
  territory?: string | '' | null;
};

/** One article of the issue. */
export type IssueContentInput = {
  /** The article, of any site. */
  articleId: string;
  /** Section of the issue. */
  section?: string | null;
  /** First page, as printed. */
  pageStart?: string | null;
  /** Last page, as printed. */
  pageEnd?: string | null;
};

/** One e-mail address. */
export type EmailAddressInput = {
  /** Address as typed. Letter case and the script of the domain are ignored in comparisons. */
  address: string;
  /** Label of the address. */
  label?: string | null;
  /** Whether this is the primary item; at most one item of the list is. Default: `false`. */
  isPrimary?: boolean;
};

/** One phone number. */
export type PhoneNumberInput = {
  /** The number as typed, in any notation, also with an extension or as a `tel:` address. */
  number: string;
  /** The country of a number without +, by code (ISO 3166-1) or name; two letters are stored. By default the country of the organization. */
  country?: string | '' | null;
  /** Label, such as "work". */
  label?: string | null;
  /** Whether this is the primary item; at most one item of the list is. Default: `false`. */
  isPrimary?: boolean;
};

/** One postal address. */
export type AddressInput = {
  /** Street and number; several lines are allowed. */
  street?: string | null;
  /** City. */
  city?: string | null;
  /** State, province or region. */
  region?: string | null;
  /** Postal code. */
  postalCode?: string | null;
  /** Country, by code (ISO 3166-1) or name; two letters are stored. */
  country?: string | '' | null;
};

/** One company. */
export type ContactCompanyInput = {
  /** The company. */
  companyId: string;
  /** Role of the person in the company. */
  role?: string | null;
  /** Whether this is the primary item; at most one item of the list is. Default: `false`. */
  isPrimary?: boolean;
};

export type MoneyInput = {
  /** Decimal number as text, which avoids rounding; up to 15 digits and 6 decimals. */
  amount: string;
  /** ISO 4217 code of a currency in use. */
  currency: string;
};

export type MoneyPatch = {
  /** Decimal number as text, which avoids rounding; up to 15 digits and 6 decimals. */
  amount?: string;
  /** ISO 4217 code of a currency in use. */
  currency?: string;
};

/** One permission. */
export type GrantInput = {
  /** A resource of the permission matrix. */
  resource: string;
  /** What members with the role may do. */
  action: 'read' | 'create' | 'update' | 'delete' | 'publish';
  /** Whether only with records that the member created. Default: `false`. */
  own?: boolean;
};

/** What the browser tells about itself. */
export type VisitorIdentificationSignalsInput = {
  /** Width of the screen in CSS pixels. */
  screenWidth?: number;
  /** Height of the screen in CSS pixels. */
  screenHeight?: number;
  /** Bits of colour per pixel. */
  colorDepth?: number;
  /** Device pixels per CSS pixel. It changes with the zoom, so it recognizes nobody. */
  pixelRatio?: number;
  /** IANA time zone. */
  timezone?: string;
  /** Languages the person reads, the preferred first (BCP 47). */
  languages?: readonly string[];
  /** The platform, as named by the browser. */
  platform?: string;
  /** Logical processors. */
  hardwareConcurrency?: number;
  /** Memory in gigabytes, as coarsely as the browser reports it. */
  deviceMemory?: number;
  /** Number of touches that the screen can distinguish; 0 without a touch screen. */
  touchPoints?: number;
  /** Hash of a drawing, which differs by graphics stack and fonts. */
  canvasHash?: string;
  /** Hash of the vendor and name of the graphics unit. */
  webglHash?: string;
  /** Hash of which well-known fonts are installed. */
  fontsHash?: string;
  /** Hash of a computed sound, which differs by audio stack. */
  audioHash?: string;
  /** Hash of some transcendental functions, which differ by engine. */
  mathHash?: string;
};

/** Where the visitor is. */
export type VisitorIdentificationPageInput = {
  /** Origin of the page. */
  origin: string;
  /** Path of the page, percent-encoded, without query and fragment. */
  path: string;
};
