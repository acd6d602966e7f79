/** What bodies may hold at most: more than is kept of them while they are parsed is refused, so nothing is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { createBodySchema, patchBodySchema } from '@trellis/schema/validation/body-schemas.ts';
import { mostKept } from '@trellis/server/kernel/http/calls.ts';

/** The largest number of items or members that a schema permits anywhere. */
function largestSize(schema: JsonSchema, place: string): number {
  const alternatives = (schema.anyOf ?? []).map((one) => largestSize(one, place));
  const members = Object.entries(schema.properties ?? {});
  const inner = members.map(([name, one]) => largestSize(one, `${place}/${name}`));
  if (schema.items !== undefined) {
    assert.equal(typeof schema.maxItems, 'number', `${place} has no maxItems`);
    inner.push(Number(schema.maxItems), largestSize(schema.items, `${place}/*`));
  }
  return Math.max(members.length, ...alternatives, ...inner);
}

test('no schema permits as many items or members as the parser keeps', () => {
  for (const resource of resources) {
    for (const schema of [createBodySchema(resource), patchBodySchema(resource)]) {
      const largest = largestSize(schema, resource.name);
      assert.ok(largest > 0 && largest < mostKept, `${resource.name}: ${largest}`);
    }
  }
});
