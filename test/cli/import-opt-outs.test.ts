/** People who do not want to be contacted, and deleted rows: neither is lost in an import. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportClient } from '@trellis/importer/api.ts';
import { buildRecord } from '@trellis/importer/build-record.ts';
import { type ColumnChoices, noChoices } from '@trellis/importer/columns.ts';
import { readOptOut } from '@trellis/importer/convert.ts';
import { UsageError } from '@trellis/importer/errors.ts';
import { createMapping } from '@trellis/importer/mapping.ts';
import { isDeletedRow, looksLikeOptOut, nameOptOutFile } from '@trellis/importer/opt-outs.ts';
import { noParent } from '@trellis/importer/parents.ts';
import { prepareRow } from '@trellis/importer/prepare-row.ts';
import { openCsv } from '@trellis/importer/readers/csv.ts';
import { runImport } from '@trellis/importer/run.ts';
import type { SourceRow } from '@trellis/importer/source.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { toFile } from '../support/source-file.ts';

const openRows = (lines: readonly string[]) =>
  openCsv(toFile('people.csv', lines.join('\n')), { columns: null, delimiter: ',' });

/** What each row says about contacting. */
async function readFlags(lines: readonly string[], choices: ColumnChoices = noChoices): Promise<unknown[]> {
  const source = await openRows(lines);
  const mapping = createMapping(contacts, source, choices);
  const flags: unknown[] = [];
  for await (const row of source.read()) {
    assert.ok('fields' in row, 'the row can be read');
    flags.push(buildRecord(contacts, mapping.map(row, false), false).values.get('doNotContact'));
  }
  return flags;
}

test('whatever is not a no says that somebody has opted out', () => {
  const optedOut = [
    true,
    1,
    '1',
    'x',
    'X',
    'yes',
    'Ja',
    'TRUE',
    '2018-07-23 12:19:27',
    'Unsubscribed',
    'Opted out',
    'Cleaned',
  ];
  for (const value of optedOut) assert.equal(readOptOut(value), true, String(value));
  const not = [
    false,
    0,
    '0',
    'no',
    'Nein',
    'non',
    'FALSE',
    'Subscribed',
    'Opted in',
    'opted-in',
    '0000-00-00 00:00:00',
    'never',
  ];
  for (const value of not) assert.equal(readOptOut(value), false, String(value));
  for (const value of ['', null, []]) assert.equal(readOptOut(value), null);
  assert.equal(readOptOut(['no', '', 'yes', 'no']), true);
});

test('every column of opt-outs counts, in the systems and languages of the exports', async () => {
  const names = [
    'UNSUB_TIME',
    'CLEAN_TIME',
    'HASOPTEDOUTOFEMAIL',
    'Email Opt Out',
    'DONOTCALL',
    'Do Not Contact',
    'doNotContact',
    'Unsubscribed from all email',
    'Contact unsubscribed',
    'Nicht kontaktieren',
    'Werbewiderspruch',
    'Abgemeldet am',
    'Désabonné',
  ];
  const flags = await readFlags([
    `email,${names.join(',')}`,
    ...names.map(
      (_, at) =>
        `p${at}@example.org,${names.map((__, other) => (other === at ? '2024-01-31' : 'no')).join(',')}`,
    ),
    `all@example.org,${names.map(() => 'no').join(',')}`,
    `none@example.org,${names.map(() => '').join(',')}`,
  ]);
  assert.deepEqual(flags, [...names.map(() => true), false, undefined]);
});

test('a column of permissions, mapped by hand, sets the flag where there is none', async () => {
  const choices = { ...noChoices, map: [{ from: 'Accepts Email Marketing', to: 'acceptsMarketing' }] };
  const lines = [
    'email,Accepts Email Marketing,Unsubscribed',
    'a@example.org,no,',
    'b@example.org,yes,',
    'c@example.org,yes,yes',
    'd@example.org,no,no',
  ];
  assert.deepEqual(await readFlags(lines, choices), [true, undefined, true, true]);
});

test('a status of systems for newsletters that says so sets the flag, and no other status does', async () => {
  for (const status of [
    'Unsubscribed',
    'opted-out',
    'Hard bounce',
    'BLACKLISTED',
    'complained',
    'Abgemeldet',
  ])
    assert.deepEqual(
      await readFlags(['Email,Email Status', `ada@example.org,${status}`, 'ben@example.org,Active']),
      [true, undefined],
      status,
    );
  assert.deepEqual(await readFlags(['Email,Status,State', 'ada@example.org,premium,blocked']), [undefined]);
  const skipped: ColumnChoices = { ...noChoices, map: [{ from: 'Status', to: null }] };
  assert.deepEqual(await readFlags(['Email,Status', 'ada@example.org,Unsubscribed'], skipped), [undefined]);
  // Substack.
  assert.deepEqual(
    await readFlags(['email,email_disabled', 'ada@example.org,true', 'ben@example.org,false']),
    [true, false],
  );
});

test('the permission of Shopify is understood without a question', async () => {
  for (const name of ['Accepts Email Marketing', 'Accepts Marketing']) {
    const lines = [`Email,${name}`, 'a@example.org,no', 'b@example.org,yes'];
    assert.deepEqual(await readFlags(lines), [true, undefined], name);
  }
});

test('names that look like opt-outs or consent are told from others', () => {
  const doubtful = [
    'Suppressed',
    'DNC list',
    'Newsletter',
    'Accepts Email Marketing',
    'Marketing Permissions',
    'Einwilligung',
    'Keine Anrufe',
    'Consentement',
    'GDPR',
    'Subscription status',
    'opt_in',
  ];
  for (const name of doubtful) assert.ok(looksLikeOptOut(name), name);
  const others = [
    'Birthday',
    'Marketing contact status',
    'UNSUB_REASON',
    'OPTIN_TIME',
    'Mailing State',
    'Company',
    'Options',
    'Adopted',
    'E-mail',
  ];
  for (const name of others) assert.ok(!looksLikeOptOut(name), name);
});

test('a column that looks like opt-outs is asked about before anything is sent, also in a row further down', async () => {
  const client: ImportClient = {
    request: () => assert.fail('a request was sent'),
    itemsOf: () => assert.fail('a request was sent'),
  };
  const options = {
    ...noChoices,
    resource: 'contacts',
    parents: {},
    existing: 'merge' as const,
    duplicates: 'reject' as const,
    statuses: false,
    dryRun: false,
    run: 'opt-outs',
    concurrency: 1,
  };
  const early = await openRows(['email,Newsletter', 'a@example.org,no']);
  await assert.rejects(runImport(early, options, { client, rejected: null }), (error) => {
    assert.ok(error instanceof UsageError);
    assert.match(
      error.message,
      /^The column "Newsletter" looks like .*--map "Newsletter=doNotContact".*--map "Newsletter="/,
    );
    return true;
  });
  const empty = await openRows(['email,Newsletter', 'a@example.org,', 'b@example.org,no']);
  const prepareAll = async (choices: ColumnChoices) => {
    const mapping = createMapping(contacts, empty, choices);
    const faults: string[] = [];
    for await (const row of empty.read()) {
      assert.ok('fields' in row, 'the row can be read');
      try {
        prepareRow(contacts, mapping, row, noParent, { isPosts: false, now: 0 });
        faults.push('');
      } catch (error) {
        faults.push(String(error));
      }
    }
    return faults;
  };
  const [first, second] = await prepareAll(noChoices);
  assert.equal(first, '');
  assert.match(second ?? '', /The column "Newsletter" looks like/);
  const skipped = { ...noChoices, map: [{ from: 'Newsletter', to: null }] };
  assert.deepEqual(await prepareAll(skipped), ['', '']);
});

test('a file of people who have opted out is known by its name', async () => {
  const optOuts = [
    'unsubscribed_members_export_1.csv',
    'lists/cleaned_segment.csv',
    'Opt-Outs 2024.csv',
    'suppressed.csv',
    'do_not_call.csv',
    'C:\\x\\migrate-mailchimp-unsubscribed.csv',
  ];
  for (const name of optOuts) assert.equal(nameOptOutFile(name), name.split(/[/\\]/).at(-1));
  for (const name of [
    'unsubscribed/people.csv',
    'nonsubscribed_members.csv',
    'subscribed.csv',
    'uncleaned-data.csv',
    'contacts.csv',
  ]) {
    assert.equal(nameOptOutFile(name), null, name);
  }
  const source = await openCsv(toFile('unsubscribed.csv', 'email\na@example.org\n'), {
    columns: null,
    delimiter: null,
  });
  const skipped = createMapping(contacts, source, {
    ...noChoices,
    map: [{ from: '(list of opt-outs)', to: null }],
  });
  for await (const row of source.read()) {
    assert.ok('fields' in row, 'the row can be read');
    assert.equal(buildRecord(contacts, skipped.map(row, false), false).values.has('doNotContact'), false);
  }
});

test('rows that are deleted where they come from are found, unless somebody has decided about the column', () => {
  const row = (column: string, value: unknown): SourceRow => ({
    place: 'line 2',
    fields: new Map([[column, value]]),
    key: null,
    exportedAs: null,
    original: new Uint8Array(),
  });
  const deleted: readonly (readonly [string, unknown])[] = [
    ['ISDELETED', 'true'],
    ['IsDeleted', '1'],
    ['Deleted', 'Yes'],
    ['_deleted', true],
    ['deleted_at', '2024-01-31 10:00'],
    ['Gelöscht', 'ja'],
    ['status', 'trash'],
    ['Post Status', 'Trash'],
  ];
  for (const [column, value] of deleted) {
    assert.ok(
      isDeletedRow(row(column, value), () => false),
      column,
    );
    assert.ok(!isDeletedRow(row(column, value), () => true), `${column}, decided`);
  }
  const others: readonly (readonly [string, unknown])[] = [
    ['ISDELETED', 'false'],
    ['Deleted', '0'],
    ['deleted_at', ''],
    ['deleted_at', null],
    ['status', 'draft'],
    ['title', 'trash'],
  ];
  for (const [column, value] of others) assert.ok(!isDeletedRow(row(column, value), () => false), column);
});
