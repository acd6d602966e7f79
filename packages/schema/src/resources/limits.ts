/**
 * The limits of requests and records. The validators, the OpenAPI document and the page about limits all read them here.
 */
export const limits = {
  /** Records per page of a list. */
  listPageSize: { min: 1, max: 100, default: 25 },
  /** Bytes of a page. Pages of large records have fewer of them, but at least one. */
  pageBytes: 4_194_304,
  /** Records that a response includes because its records refer to them. */
  includedRecords: 1_000,
  /** Counts of a list: the largest number that is counted exactly, and how many records are looked at where no index counts. */
  countPerValue: 1_000,
  countedRecords: 10_000,
  /** Results per page of a search. */
  searchPageSize: { min: 1, max: 100, default: 20 },
  /** Code points of the `search` filter and of a search `query`. */
  searchText: { min: 1, max: 200 },
  /**
   * UTF-16 units of the same without case and accents. Letters of every language become three at most (a syllable of Korean), a few
   * signs eighteen. A word of a tsquery has at most 2,046 bytes of UTF-8, which these are not.
   */
  foldedSearchText: 600,
  /** Parameters of a query string, and values of one parameter. */
  queryParameters: 30,
  parameterValues: 50,
  /** Code points of a text that a filter of a list compares with: an e-mail address is the longest. */
  filterText: 254,
  /** Maximum code points of fields that are indexed in the write; fields that may be longer are indexed after the commit. */
  shortText: 2_000,
  /** Bytes of a JSON request body. */
  bodyBytes: 1_048_576,
  /** Writes of a batch. */
  batchItems: 100,
  /** Levels of nesting in a JSON request body. */
  bodyDepth: 32,
  /** Length of an Idempotency-Key in visible ASCII characters. */
  idempotencyKey: { min: 1, max: 255 },
  /** Code points of an externalId. */
  externalId: 128,
  /** Code points of an importId. */
  importId: 64,
  /** Bytes (UTF-8) of an article's body. */
  articleBodyBytes: 524_288,
  /** Renditions of one picture that are kept, and bytes of all those of an organization; the oldest give way. */
  pictureRenditions: 500,
  pictureRenditionBytes: 1_073_741_824,
  /** Bytes (UTF-8) of content in the body that creates a knowledge file. */
  inlineContentBytes: 262_144,
  /** Characters of an X-Request-Id sent by the caller. */
  requestId: 128,
  /** Up to this number, all matches are ranked; of more matches, the search functions choose some. */
  searchCandidates: 1_000,
  /** Levels of a hierarchy of companies. */
  companyDepth: 20,
  /** Levels of a category tree. */
  categoryDepth: 8,
  /** Plants of an organization in the sandbox. */
  plants: 1_000,
  /** Code points of the name of an uploaded file. */
  fileName: 255,
  /** Code points of a plant's name and tag. */
  plantName: 255,
  plantTag: 100,
  /** Roles of an organization, besides the built-in ones. */
  roles: 100,
  /** Service members of an organization. */
  serviceMembers: 200,
  /** Invitations of an organization that are pending. */
  invitations: 200,
  /** Views of an organization that one user has created. */
  views: 200,
  /** Characters of the query string of a view. */
  viewQuery: 4_000,
  /** Webhook endpoints of an organization: every event is fanned out to all of them in one transaction of the relay. */
  webhookEndpoints: 50,
  /** Events that one replay of a webhook endpoint sends. */
  webhookReplayEvents: 10_000,
  /** Concurrent event streams in one process. */
  openStreams: { perToken: 20, perOrganization: 100 },
  /** Contents of more than 512 KiB that members load at once from one process. */
  openDownloads: { perToken: 16, perOrganization: 32 },
  /** Years ahead that a transition may be scheduled. */
  scheduleYears: 5,
} as const;
