/** What the documents and pages describe: the operations of the tenant API, and what features add. */
import type { Operation } from '../http/operation.ts';
import type { FeatureDocuments } from './feature-documents.ts';

export interface DescribedApi {
  readonly operations: readonly Operation[];
  readonly features: readonly FeatureDocuments[];
}
