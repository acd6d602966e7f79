/** The public interface of the client. */

export {
  ApiClient,
  type CallOptions,
  type Input,
  type ListName,
  type OperationName,
  type OperationRequest,
  type Page,
  type PlainRequest,
  type Result,
  requestOf,
  type Selected,
  type WriteOptions,
} from './api-client.ts';
export { type BatchName, errorOf, type ItemOutcome, writeInBatches } from './batches.ts';
export type { Content } from './content.ts';
export type { EventStream, EventStreamOptions } from './event-stream.ts';
export { type Operations, operations } from './generated/operations.ts';
export type * from './generated/types.ts';
export { makeIdempotencyKey } from './keys.ts';
export { type ClientCode, type ErrorCode, type Fault, type ProblemCode, ProblemError } from './problem.ts';
export { type ApiResponse, etagOf } from './response.ts';
export type { ClientOptions, CookieOptions, TokenOptions } from './transport.ts';
export { type Upload, uploadKnowledgeFile } from './upload.ts';
