/** The list of resources with one more, as it would be after the line in src/resources/list.ts. */
import { declaredResources as productResources } from '../../../src/resources/list.ts';
import type { Resource } from '../../../src/resources/resource.ts';
import { exhibitions } from './exhibitions.ts';

export const declaredResources: readonly Resource[] = [...productResources, exhibitions];
