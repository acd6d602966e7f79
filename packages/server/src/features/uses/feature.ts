/** What refers to a record: read with the record by the features whose resources have such an operation. */
import type { Feature } from '../../kernel/feature.ts';
import { usageSchemas } from './schemas.ts';

export const usesFeature: Feature = { name: 'uses', documents: { schemas: usageSchemas } };
