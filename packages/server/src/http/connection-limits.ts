/**
 * Limits of time and memory for connections. Clients are not trusted to send, read or leave in time: each limit bounds
 * what one of them can hold, and the sum of what all of them hold.
 */
export interface ConnectionLimits {
  /** How long the request line and the headers may take to arrive, in ms. */
  readonly headersTimeoutMs: number;
  /** How long a body in JSON may take to arrive, in ms. */
  readonly bodyTimeoutMs: number;
  /** How long an upload may send nothing, in ms. */
  readonly uploadIdleMs: number;
  /** How long an upload may take altogether, in ms. */
  readonly uploadTimeoutMs: number;
  /** How often connections are looked through for those that are too slow, in ms. */
  readonly checkIntervalMs: number;
  /** How long a connection may stay open between two requests, in ms. */
  readonly keepAliveTimeoutMs: number;
  /** How long, in ms, and for how many bytes a connection whose request was refused is still read from. */
  readonly lingerMs: number;
  readonly lingerBytes: number;
  /** How long a client may take to read an answer that is held in memory, in ms. */
  readonly answerTimeoutMs: number;
  /** How long a client may read nothing of a download or a stream of events, in ms. */
  readonly streamStallMs: number;
  /** Bytes of answers that all clients together have not read yet. */
  readonly unreadBytes: number;
  /** The share of them that one organization may take; all callers without a token have one share together. */
  readonly unreadBytesPerOrganization: number;
}

const mebibyte = 1_048_576;

/** What holds where `ServerOptions` says nothing else. */
export const defaultConnectionLimits: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 30_000,
  uploadIdleMs: 30_000,
  uploadTimeoutMs: 3_600_000,
  checkIntervalMs: 1_000,
  keepAliveTimeoutMs: 65_000,
  lingerMs: 2_000,
  lingerBytes: 4 * mebibyte,
  answerTimeoutMs: 60_000,
  streamStallMs: 30_000,
  unreadBytes: 256 * mebibyte,
  unreadBytesPerOrganization: 64 * mebibyte,
};
