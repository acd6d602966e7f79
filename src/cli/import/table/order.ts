/** Why: a file with records of several resources is written and read in an order in which references lead backwards. */
import { resources } from '../../../resources/index.ts';
import type { Resource } from '../../../resources/resource.ts';

const order = [
  'sites',
  'categories',
  'tags',
  'companies',
  'contacts',
  'articles',
  'books',
  'magazines',
  'issues',
];

/** All resources that move between installations, such that none refers to a later one; those that nothing is known about come last. */
export const resourcesInOrder: readonly Resource[] = [
  ...order.flatMap((name) => resources.filter((resource) => resource.name === name)),
  ...resources.filter(({ name, portable }) => !order.includes(name) && portable !== false),
];
