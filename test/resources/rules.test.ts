/** Rules are typed by the declaration: a misspelt field does not compile, which `npm run check` finds by the expected errors here. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { articles } from '@trellis/schema/resources/articles.ts';
import { books } from '@trellis/schema/resources/books.ts';
import type { RecordRules } from '@trellis/schema/resources/record-rules.ts';
import { rulesOf } from '@trellis/schema/resources/rules.ts';
import { withChanges } from '@trellis/schema/resources/stored-values.ts';
import { withDefaults } from '@trellis/schema/validation/defaults.ts';
import type { Rules } from '@trellis/server/kernel/pipeline/model.ts';

const misspeltRules: RecordRules<typeof books> = {
  // @ts-expect-error: the field is `isbn10`.
  derive: (values) => withChanges(values, { isbn1O: null }),
  // @ts-expect-error: the field is `publicationDate`.
  check: ({ publishedOn }) => (publishedOn === null ? [] : []),
};

const misspeltServerRules: Rules<typeof articles> = {
  // @ts-expect-error: the field is `versionData.status`.
  changesSeen: (before) => before['versionData.state'] === 'PUBLISHED',
  // @ts-expect-error: no status is called LIVE.
  create: (values) => withChanges(values, { 'versionData.status': 'LIVE' }),
  // @ts-expect-error: a body gives no `tite`.
  update: (_before, { tite }, merged) => ({ values: merged, events: [String(tite)] }),
};

// Only their types matter.
void misspeltRules;
void misspeltServerRules;

test('rules derive values and find faults across fields', () => {
  const { derive, check } = rulesOf(books);
  const values = withDefaults(books, { title: 'Emma', isbn13: '9780141439587', tradeStatus: 'FORTHCOMING' });
  const derived = derive?.(values, null) ?? {};
  assert.equal(derived.isbn10, '0141439580');
  assert.deepEqual(check?.(derived), [
    {
      pointer: '/publicationDate',
      code: 'required',
      detail: 'A FORTHCOMING book requires a publicationDate.',
    },
  ]);
});
