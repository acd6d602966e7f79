/** The errors of the plant store: a closed, stable catalogue of numbers. */

/** Numeric error values with the status they are sent with. */
export const sandboxErrors = {
  malformedJson: { error: 1001, status: 400, meaning: 'The body is not valid JSON.' },
  invalidBody: { error: 1002, status: 400, meaning: 'A field is missing or has an invalid value.' },
  unknownField: { error: 1003, status: 400, meaning: 'The body has an unknown field.' },
  duplicateId: { error: 1004, status: 400, meaning: 'A plant with this id already exists.' },
  quotaReached: { error: 1005, status: 400, meaning: 'The organization has reached its limit of plants.' },
  invalidParameter: {
    error: 1006,
    status: 400,
    meaning: 'A query parameter is unknown or has an invalid value.',
  },
  invalidId: { error: 1007, status: 400, meaning: 'The id in the path is not a 64-bit integer.' },
  unexpected: { error: 1099, status: 400, meaning: 'An unexpected error.' },
  tokenMissing: { error: 2001, status: 401, meaning: 'A bearer token is needed.' },
  tokenInvalid: { error: 2002, status: 401, meaning: 'The bearer token is not valid for this interface.' },
  scopeMissing: { error: 2003, status: 403, meaning: 'The token or the role does not permit this.' },
  plantNotFound: { error: 3001, status: 404, meaning: 'There is no plant with this id, or no such route.' },
  bodyTooLarge: { error: 4001, status: 413, meaning: 'The body is too large.' },
  unsupportedMediaType: { error: 4002, status: 415, meaning: 'The body must be application/json in UTF-8.' },
  rateLimited: { error: 4003, status: 429, meaning: 'Too many requests.' },
  methodNotAllowed: {
    error: 4004,
    status: 405,
    meaning: 'The route exists but not with this method; `Allow` lists its methods.',
  },
  unavailable: {
    error: 5001,
    status: 503,
    meaning: 'The server is overloaded or its database is unavailable. Retry after the delay in Retry-After.',
  },
} as const;

export type SandboxErrorName = keyof typeof sandboxErrors;

/** A failure of the plant store as the caller sees it. */
export class SandboxError extends Error {
  readonly status: number;
  /** Number of the catalogue. */
  readonly error: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(name: SandboxErrorName, message?: string, headers: Readonly<Record<string, string>> = {}) {
    const { error, status, meaning } = sandboxErrors[name];
    super(message ?? meaning);
    this.name = 'SandboxError';
    this.status = status;
    this.error = error;
    this.headers = headers;
  }
}
