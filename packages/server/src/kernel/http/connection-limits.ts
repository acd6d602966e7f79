/**
 * Limits of time and memory for connections. A client may send slowly, read slowly or never leave: the limits bound what one
 * client can occupy, and what all clients occupy together.
 */
export interface ConnectionLimits {
  /** How long the request line and the headers may take to arrive, in ms. */
  readonly headersTimeoutMs: number;
  /** How long a JSON body may take to arrive, in ms. */
  readonly bodyTimeoutMs: number;
  /** How long an upload may send nothing, in ms. */
  readonly uploadIdleMs: number;
  /** How long an upload may take altogether, in ms. */
  readonly uploadTimeoutMs: number;
  /** How often connections are checked for these limits, in ms. */
  readonly checkIntervalMs: number;
  /** How long a connection may stay open between two requests, in ms. */
  readonly keepAliveTimeoutMs: number;
  /** How long, in ms, and for how many bytes a connection is still read after its request was refused. */
  readonly lingerMs: number;
  readonly lingerBytes: number;
  /** How long a client may take to read a response that is held in memory, in ms. */
  readonly responseTimeoutMs: number;
  /** How long a client may read nothing of a download or a stream of events, in ms. */
  readonly streamStallMs: number;
  /** Maximum bytes of unread responses of all clients together. */
  readonly unreadBytes: number;
  /** Maximum bytes of unread responses of one organization, and of all callers without a token together. */
  readonly unreadBytesPerOrganization: number;
}

const mebibyte = 1_048_576;

/** The limits unless `ServerOptions` has others. */
export const defaultConnectionLimits: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 30_000,
  uploadIdleMs: 30_000,
  uploadTimeoutMs: 3_600_000,
  checkIntervalMs: 1_000,
  keepAliveTimeoutMs: 65_000,
  lingerMs: 2_000,
  lingerBytes: 4 * mebibyte,
  responseTimeoutMs: 60_000,
  streamStallMs: 30_000,
  unreadBytes: 256 * mebibyte,
  unreadBytesPerOrganization: 64 * mebibyte,
};
