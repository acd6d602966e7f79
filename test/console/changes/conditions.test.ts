/** The conditions of lists: each filter that a list has is said by one condition of one field, and read from an address. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionsIn, filterNamesOf, operatorsOf, subjectsOf } from '@trellis/console/lists/conditions.ts';
import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';

const conditionsOf = (resource: Resource) =>
  subjectsOf(resource).flatMap((subject) => operatorsOf(subject).map((operator) => ({ subject, operator })));

for (const resource of resources) {
  test(`each filter of ${resource.name} is said by one condition`, () => {
    const said = conditionsOf(resource)
      // Whether there is a value is one filter of two conditions.
      .filter(({ operator }) => operator !== 'filled')
      .flatMap(filterNamesOf);
    assert.deepEqual(said.toSorted(), Object.keys(filtersOf(resource)).toSorted());
  });

  test(`each filter of ${resource.name} in an address is shown by its condition`, () => {
    for (const condition of conditionsOf(resource))
      for (const name of filterNamesOf(condition)) {
        const value = condition.operator === 'empty' ? 'false' : 'true';
        const shown = conditionsIn(subjectsOf(resource), { [name]: value });
        assert.deepEqual(
          shown.map(({ subject, operator }) => [subject.name, operator]),
          [[condition.subject.name, condition.operator]],
          `${name}=${value}`,
        );
      }
  });
}
