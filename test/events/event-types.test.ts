/** The catalogue of event types: it has every type that is emitted, since others could not be subscribed to. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  describeUnknownPattern,
  eventTypes,
  isKnownPattern,
  patternsOf,
} from '@trellis/schema/event-types.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { hasOperation } from '@trellis/schema/resources/resource.ts';
import { isTypePattern } from '@trellis/schema/values/event-type.ts';

const types = eventTypes.map(({ type }) => type);

test('every type is unique, has the form that the feed filters by, and a description', () => {
  assert.equal(new Set(types).size, types.length);
  for (const { type, description } of eventTypes) {
    assert.ok(isTypePattern(type), type);
    assert.match(description, /^[A-Z].*\.$/);
  }
});

test('resources have types for the changes that are possible, and the types of the specification are there', () => {
  const ends = { create: 'created', update: 'updated', delete: 'deleted' } as const;
  for (const resource of resources)
    for (const operation of ['create', 'update', 'delete'] as const)
      if (hasOperation(resource, operation))
        assert.ok(types.includes(`${resource.singular}.${ends[operation]}`), resource.singular);
  for (const type of [
    'article.published',
    'article.unpublished',
    'article.scheduled',
    'article.schedule_failed',
    'issue.published',
    'knowledge-file.ready',
    'knowledge-file.failed',
    'visitor.erased',
    'webhook-endpoint.disabled',
  ])
    assert.ok(types.includes(type), type);
});

test("every event of a resource's rules is a known type", async () => {
  const ends = new Set(types.map((type) => type.split('.')[1]));
  const named = new Set<string>();
  for (const folder of ['features', 'kernel/pipeline']) {
    const path = new URL(`../../packages/server/src/${folder}/`, import.meta.url);
    for (const name of (await readdir(path, { recursive: true })).filter((file) => file.endsWith('.ts'))) {
      const source = await readFile(new URL(name, path), 'utf8');
      for (const [, list = ''] of source.matchAll(/events: \[([^\]]*)\]/g))
        for (const [, end = ''] of list.matchAll(/'([a-z_]+)'/g)) named.add(end);
    }
  }
  assert.ok(named.has('updated') && named.has('disabled') && named.has('ready'), [...named].join());
  for (const end of named) assert.ok(ends.has(end), end);
});

test('an event matches its type, its kind and `*`; an invalid pattern is recognized', () => {
  assert.deepEqual(patternsOf('article.published'), ['article.published', 'article.*', '*']);
  for (const pattern of ['*', 'article.*', 'visitor.*', 'site.created']) assert.ok(isKnownPattern(pattern));
  for (const text of [
    '',
    'article',
    'article.',
    '*.created',
    'art*',
    'plant.created',
    'webhook.test',
    'Article.*',
  ])
    assert.equal(isKnownPattern(text), false, text);
  assert.match(describeUnknownPattern('artcle.*'), /Did you mean "article.\*"/);
});
