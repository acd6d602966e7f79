/**
 * Why: everything has a limit, and a limit that stands in two places is soon two limits. The validators, the
 * OpenAPI document and the reference pages read them here.
 */
export const limits = {
  /** Records per page of a list. */
  listPageSize: { min: 1, max: 100, default: 25 },
  /** Bytes of a page: larger records make it shorter. One record always comes. */
  pageBytes: 4_194_304,
  /** Results per page of a search. */
  searchPageSize: { min: 1, max: 100, default: 20 },
  /** Code points of the `search` filter and of a search `query`. */
  searchText: { min: 1, max: 200 },
  /** Code points of a text that is indexed with its record; fields that may be longer are indexed after it. */
  shortText: 2_000,
  /** Bytes of a JSON request body. */
  bodyBytes: 1_048_576,
  /** Levels of nesting in a JSON request body. */
  bodyDepth: 32,
  /** Visible ASCII characters of an Idempotency-Key. */
  idempotencyKey: { min: 1, max: 255 },
  /** Code points of an externalId. */
  externalId: 128,
  /** Bytes (UTF-8) of an article's body. */
  articleBodyBytes: 524_288,
  /** Bytes (UTF-8) of content given with the create of a knowledge file. */
  inlineContentBytes: 262_144,
  /** How many files, and how many pages, a search among knowledge files ranks. */
  fileCandidates: 5_000,
  /** Characters of a caller's own X-Request-Id. */
  requestId: 128,
  /** Up to so many matches are all ranked; of more, the search functions choose some. */
  searchCandidates: 1_000,
  /** Levels of companies above each other. */
  companyDepth: 20,
  /** Levels of a category tree. */
  categoryDepth: 8,
  /** Plants of an organization in the sandbox. */
  plants: 1_000,
  /** Code points of a plant's name and tag. */
  plantName: 255,
  plantTag: 100,
  /** Webhook endpoints of an organization: every event is fanned out to all of them in one transaction of the relay. */
  webhookEndpoints: 50,
  /** Events that one replay of a webhook endpoint sends. */
  webhookReplayEvents: 10_000,
  /** Streams of events that are open at once in one process. */
  openStreams: { perToken: 20, perOrganization: 100 },
  /** Years ahead that a transition may be scheduled. */
  scheduleYears: 5,
} as const;
