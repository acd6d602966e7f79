/** Walks of salespeople: contacts found, changed, imported, tagged. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Json } from '../support/server.ts';
import { amount } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { addColleague, defineWalks, type Given } from '../support/walks.ts';

const walk = defineWalks();

async function addPeople({ call }: Given, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await call('POST', '/v1/crm/contacts', {
      firstName: 'Reader',
      lastName: String(number).padStart(3, '0'),
      tags: number % 3 === 0 ? ['guest'] : [],
    });
}

walk(
  'find a contact by half of the number on the display, and make a colleague its owner',
  {
    bounds: { requests: 45, bytes: 15_000 },
    given: async (given) => {
      await given.call('POST', '/v1/crm/contacts', {
        firstName: 'Elizabeth',
        lastName: 'Bennet',
        phones: [{ number: '+44 20 7946 0123' }],
      });
      await addColleague(given, 'EDITOR', 'Ana Silva');
    },
  },
  async ({ page, call }) => {
    await page.getByRole('button', { name: /^Search/ }).click();
    await page.getByRole('combobox', { name: 'Search' }).fill('794601');
    await page.getByRole('option', { name: /Elizabeth Bennet/ }).click();
    await page.getByRole('heading', { name: 'Elizabeth Bennet', level: 2 }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('combobox', { name: 'Owner' }).fill('Ana');
    // The others leave the list when the search has a result: the option would move away from under the pointer.
    await until('only Ana is offered', async () => (await page.getByRole('option').count()) === 1);
    await page.getByRole('option', { name: /Ana Silva/ }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('main').getByText('Ana Silva').waitFor();
    const { items } = await call('GET', '/v1/members');
    const ana = items.find(({ name }: Json) => name === 'Ana Silva');
    const [contact] = (await call('GET', '/v1/crm/contacts')).items;
    assert.equal(contact.ownerUserId, ana.id);
  },
);

walk(
  'correct the job title and the stage of contacts in the list, by mouse and by keys',
  {
    bounds: { requests: 20, bytes: 10_000 },
    given: async ({ call }) => {
      await call('POST', '/v1/crm/contacts', { firstName: 'Ada', lastName: 'Lovelace', jobTitle: 'Analist' });
      await call('POST', '/v1/crm/contacts', { firstName: 'Grace', lastName: 'Hopper' });
    },
  },
  async ({ page, call, untilStored }) => {
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    const cell = (row: string, column: number) =>
      page
        .getByRole('row', { name: new RegExp(row) })
        .getByRole('gridcell')
        .nth(column);
    const [jobTitle, stage] = [3, 4];
    await cell('Ada Lovelace', jobTitle).dblclick();
    await page.getByRole('textbox', { name: 'Job title' }).fill('Analyst');
    await page.keyboard.press('Tab');
    // The stage of the same contact is next.
    await cell('Ada Lovelace', stage).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Customer' }).click();
    await cell('Ada Lovelace', stage).and(page.locator(':focus')).getByText('Customer').waitFor();
    // The message of a later response would take the place of the one that is looked for below.
    await page.getByText('Lifecycle stage of Ada Lovelace saved.').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('F2');
    await page.keyboard.type('Rear admiral');
    await page.keyboard.press('Enter');
    await cell('Grace Hopper', jobTitle).getByText('Rear admiral').waitFor();
    await page.getByText('Job title of Grace Hopper saved.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await untilStored('both contacts', '/v1/crm/contacts', ({ items }) => {
      const [grace, ada] = items;
      return (
        grace.jobTitle === 'Rear admiral' && ada.jobTitle === 'Analyst' && ada.lifecycleStage === 'CUSTOMER'
      );
    });
    const [grace, ada] = (await call('GET', '/v1/crm/contacts')).items;
    assert.deepEqual([grace.version, ada.version], [2, 3], 'one change each');
  },
);

walk(
  'give a contact to a colleague, move its stage and tag it where it is read, and undo the last of it',
  {
    bounds: { requests: 40, bytes: 16_000 },
    given: async (given) => {
      await given.call('POST', '/v1/crm/contacts', {
        firstName: 'Elizabeth',
        lastName: 'Bennet',
        lifecycleStage: 'LEAD',
      });
      await addColleague(given, 'EDITOR', 'Ana Silva');
    },
  },
  async ({ page, call, untilStored }) => {
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('link', { name: 'Elizabeth Bennet' }).click();
    await page.getByRole('heading', { name: 'Elizabeth Bennet', level: 2 }).waitFor();
    const main = page.getByRole('main');
    const change = (field: string) => page.getByRole('button', { name: `Change “${field}”` });
    await change('Owner').click();
    await page.getByRole('combobox', { name: 'Owner' }).fill('Ana');
    await page.getByRole('option', { name: /Ana Silva/ }).click();
    await main.getByText('Ana Silva').waitFor();
    // The focus is where it was, and so the next one is reached by keys.
    await change('Owner').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await change('Lifecycle stage').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Customer' }).click();
    await page.getByText('Lifecycle stage of Elizabeth Bennet saved.').waitFor();
    // What is there is what people click, although a button lies over it.
    await main.getByText('None', { exact: true }).click({ force: true });
    await page.getByRole('combobox', { name: 'Tags' }).fill('spring fair');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.getByText('Tags of Elizabeth Bennet saved.').waitFor();
    const history = page.getByRole('complementary', { name: 'About this record' }).getByRole('listitem');
    await history.filter({ hasText: 'Tags' }).waitFor();
    await history.filter({ hasText: 'Lifecycle stage' }).waitFor();
    await history.filter({ hasText: 'Owner' }).waitFor();
    assert.equal(new URL(page.url()).search, '', 'the form was not opened');
    const { items } = await call('GET', '/v1/members');
    const ana = items.find(({ name }: Json) => name === 'Ana Silva');
    const [contact] = (await call('GET', '/v1/crm/contacts')).items;
    const { ownerUserId, lifecycleStage, tags, version } = contact;
    assert.deepEqual(
      { ownerUserId, lifecycleStage, tags, version },
      { ownerUserId: ana.id, lifecycleStage: 'CUSTOMER', tags: ['spring fair'], version: 4 },
    );
    await page
      .getByRole('status')
      .filter({ hasText: 'Tags of Elizabeth Bennet saved.' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await page.getByText('Undone.').waitFor();
    await main.getByText('None', { exact: true }).waitFor();
    await untilStored('no tags', '/v1/crm/contacts', ({ items: [only] }) => only.tags.length === 0);
  },
);

/** How many others there are: in a soak, as many as a large organization has. */
const crowd = amount(1_000, 100_000);

/** Written into the tables, with what a search needs: through the API it would take minutes. */
async function addCrowd({ call, database, organization }: Given): Promise<void> {
  await call('POST', '/v1/crm/contacts', { firstName: 'Elizabeth', lastName: 'Bennet', tags: ['guest'] });
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  try {
    await admin.query(
      `WITH added AS (
        INSERT INTO trellis.contacts
        SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'first_name', 'Reader',
          'last_name', n::text, 'display_name', 'Reader ' || n, 'tags', '[]'::jsonb,
          'created_at', now() + n * interval '1 millisecond'))).*
        FROM trellis.contacts c, generate_series(1, $2::integer) n WHERE c.organization_id = $1
        RETURNING organization_id, id, display_name, created_at),
      templates AS MATERIALIZED (
        SELECT s.*, left((tsvector_to_array(s.terms))[1], 6) AS scope FROM trellis.search_records s
        WHERE s.organization_id = $1 AND s.type = 'contact')
      INSERT INTO trellis.search_records
        (organization_id, type, record_id, edition, parent_id, created_at, working, published, names, others, terms)
      SELECT s.organization_id, s.type, a.id, s.edition, s.parent_id, a.created_at, true, true, a.name, '', array_to_tsvector(ARRAY(
        SELECT s.scope || word FROM regexp_split_to_table(a.name, ' ') AS word
        UNION SELECT s.scope || '=' || substr(a.name, place, 3) FROM generate_series(1, length(a.name)) AS place))
      FROM templates s CROSS JOIN (SELECT id, created_at, lower(display_name) AS name FROM added) a`,
      [organization.id, crowd],
    );
    await admin.query('ANALYZE trellis.contacts, trellis.search_records');
  } finally {
    await admin.end();
  }
}

walk(
  'find single contacts among 100,000, and change one',
  { bounds: { requests: 30, bytes: 60_000 }, given: addCrowd },
  async ({ page, untilStored }) => {
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('link', { name: `Reader ${crowd}`, exact: true }).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search contacts' });
    await search.fill('bennet');
    await page.getByRole('link', { name: 'Elizabeth Bennet' }).click();
    await page.getByRole('heading', { name: 'Elizabeth Bennet' }).first().waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Job title' }).fill('Author');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await untilStored('the title', '/v1/crm/contacts?search=bennet', ({ items }) => {
      assert.equal(items.length, 1);
      return items[0].jobTitle === 'Author';
    });
    await page.getByRole('link', { name: 'Contacts', exact: true }).first().click();
    await search.fill(`reader ${Math.round(crowd / 2)}`);
    await page.getByRole('link', { name: `Reader ${Math.round(crowd / 2)}`, exact: true }).waitFor();
  },
);

/** How many contacts have which tags. */
async function countTags(call: Given['call']): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let cursor = ''; ; ) {
    const page = await call('GET', `/v1/crm/contacts?limit=100${cursor}`);
    for (const { tags } of page.items) counts[tags.join(', ')] = (counts[tags.join(', ')] ?? 0) + 1;
    if (page.pageInfo.nextCursor === null) return counts;
    cursor = `&cursor=${encodeURIComponent(page.pageInfo.nextCursor)}`;
  }
}

walk(
  'tag 150 contacts at once, and undo it',
  { bounds: { requests: 800, bytes: 400_000 }, given: (given) => addPeople(given, 150) },
  async ({ page, call }) => {
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('link', { name: 'Reader 149' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByText('150 selected').waitFor();
    await page.getByRole('button', { name: 'Set a field' }).click();
    const dialog = page.getByRole('dialog', { name: /150/ });
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByText('Choose a field first.').waitFor();
    await dialog.getByLabel('Field', { exact: true }).selectOption({ label: 'Tags' });
    // No Enter: what was typed is meant.
    await dialog.getByLabel('Tags', { exact: true }).fill('spring fair');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    const panel = page.getByRole('region', { name: 'Bulk changes' });
    await panel.getByText('Done · 150 of 150').waitFor();
    assert.deepEqual(await countTags(call), { 'guest, spring fair': 50, 'spring fair': 100 });
    await panel.getByRole('button', { name: 'Undo' }).click();
    await panel.getByText('Undo: Contacts').waitFor();
    await panel.getByText('Done · 150 of 150').waitFor();
    assert.deepEqual(await countTags(call), { guest: 50, '': 100 });
  },
);

const german = [
  'Vorname;Nachname;E-Mail;Telefon;Straße;PLZ;Ort;Land;Tags',
  ...Array.from(
    { length: 200 },
    (_, index) =>
      `Person;Nummer ${index};${index % 40 === 7 ? 'keine' : `person-${index}@example.com`};030 90182${index + 100};Hauptstraße ${index + 1};10115;Berlin;Deutschland;Gast`,
  ),
].join('\n');

walk(
  'import 200 German contacts, correct five, and import these',
  { bounds: { requests: 600, bytes: 600_000 } },
  async ({ page, call }) => {
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('button', { name: 'Import', exact: true }).first().click();
    await page
      .getByLabel('Choose files')
      .setInputFiles({ name: 'kontakte.csv', mimeType: 'text/csv', buffer: Buffer.from(german) });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    // The numbers are as people in Berlin dial them.
    await page.getByRole('link', { name: 'Set the default country' }).click();
    await page.getByRole('combobox', { name: 'Default country' }).fill('Germ');
    await page.getByRole('option', { name: 'Germany' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('button', { name: 'Import 195 rows' }).click();
    await page.getByRole('region', { name: 'Done' }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download rejected rows' }).click();
    const rejected = await readFile(await (await downloading).path(), 'utf8');
    assert.equal(rejected.trim().split('\n').length, 6);
    const corrected = rejected.replaceAll(
      /(Nummer \d+);keine/g,
      (_, name) => `${name};${name.replace(' ', '-')}@example.com`,
    );
    await page
      .getByLabel('Choose files')
      .setInputFiles({ name: 'kontakte.rejected.csv', mimeType: 'text/csv', buffer: Buffer.from(corrected) });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('button', { name: 'Import 5 rows' }).click();
    await page.getByRole('region', { name: 'Done' }).waitFor();
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('link', { name: 'Person Nummer 199' }).waitFor();
    assert.deepEqual(await countTags(call), { gast: 200 });
  },
);
