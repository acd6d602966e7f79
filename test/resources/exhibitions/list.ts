/** The list of resources with the test resource, as with one more line in packages/schema/src/resources/list.ts. */
import { declaredResources as productResources } from '@trellis/schema/resources/list.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { declareViews } from '@trellis/schema/resources/views.ts';
import { exhibitions } from './exhibitions.ts';

const listed = [...productResources.filter(({ name }) => name !== 'views'), exhibitions];

export const declaredResources: readonly Resource[] = [...listed, declareViews(listed)];
