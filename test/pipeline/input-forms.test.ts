/** Input forms of the specification that are easy to get wrong: far expiry times, limits of schedules, colours. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { articles } from '@trellis/schema/resources/articles.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { tags } from '@trellis/schema/resources/tags.ts';
import { createInputReader } from '@trellis/schema/validation/input.ts';

const inYears = (years: number) => new Date(Date.now() + years * 365.25 * 86_400_000).toISOString();

test('a file may expire at any time in the future', () => {
  const reader = createInputReader(knowledgeFiles);
  for (const expiresAt of [inYears(0.001), inYears(4.9), inYears(30), '9999-12-31T23:59:59.999Z']) {
    const { faults, values } = reader.create({ name: 'f', expiresAt });
    assert.deepEqual(faults, []);
    assert.equal(values.expiresAt, expiresAt);
  }
  for (const expiresAt of [inYears(-0.001), '2020-01-01T00:00:00Z', 'tomorrow']) {
    const { faults } = reader.create({ name: 'f', expiresAt });
    assert.deepEqual(
      faults.map(({ pointer }) => pointer),
      ['/expiresAt'],
    );
  }
});

test('a transition can be scheduled at most five years ahead', () => {
  const reader = createInputReader(articles);
  for (const field of ['scheduledFor', 'unpublishAt']) {
    const faultsAt = (instant: string) =>
      reader.patch({ versionData: { [field]: instant } }).faults.map(({ pointer }) => pointer);
    assert.deepEqual(faultsAt(inYears(4.9)), []);
    assert.deepEqual(faultsAt(inYears(5.1)), [`/versionData/${field}`]);
    assert.deepEqual(faultsAt(inYears(-0.001)), [`/versionData/${field}`]);
  }
});

test('a colour has six hexadecimal digits in either case', () => {
  const reader = createInputReader(tags);
  for (const color of ['#1F6FEB', '#1f6feb', '#1f6FeB']) {
    const { faults, values } = reader.create({ name: 't', color });
    assert.deepEqual(faults, []);
    assert.equal(values.color, '#1f6feb');
  }
  for (const color of ['1f6feb', '#1f6fe', '#1f6feb0', '#1f6feg', 'red', '#fff']) {
    assert.equal(reader.create({ name: 't', color }).faults[0]?.pointer, '/color', color);
  }
});
