/** Imports of CSV and NDJSON files into a real server: what they write, and what they refuse. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { noChoices, readMapRule } from '@trellis/importer/columns.ts';
import { describeReport, exitCodeOf, type ImportReport } from '@trellis/importer/report.ts';
import { UsageError } from '@trellis/server/commands/command-line.ts';
import { importPath, type PathImportOptions } from '@trellis/server/commands/import/import-path.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

const samples = fileURLToPath(new URL('../samples/tables/', import.meta.url));

let server: TestServer;
let folder: string;
let token: string;
let organizations = 0;

before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-table-'));
  token = await newOrganization();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Creates an organization for a test; returns a token of its owner. */
async function newOrganization(): Promise<string> {
  organizations += 1;
  const { worker } = server.database;
  const organization = await createOrganization(worker, `tables-${organizations}`);
  const owner = await createMember(worker, organization, 'OWNER');
  return (await createToken(worker, organization, owner)).token;
}

async function importTable(
  path: string,
  more: Partial<PathImportOptions> = {},
  confirm?: (text: string) => Promise<boolean>,
) {
  const options: PathImportOptions = {
    path,
    resource: 'books',
    parents: {},
    ...noChoices,
    columns: null,
    delimiter: null,
    dryRun: false,
    existing: 'merge',
    duplicates: 'reject',
    statuses: false,
    concurrency: 4,
    rejectedFile: join(folder, 'rejected.csv'),
    alwaysWriteRejected: false,
    ...more,
  };
  return importPath(options, {
    connection: { baseUrl: server.url, token },
    stderr: () => assert.fail('nothing may be shown without a terminal'),
    isTerminal: false,
    wait: async () => undefined,
    ...(confirm === undefined ? {} : { confirm }),
  });
}

async function imported(path: string, more: Partial<PathImportOptions> = {}): Promise<ImportReport> {
  const report = await importTable(path, more);
  assert.ok(report !== null);
  return report;
}

async function write(name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

const call = (method: string, path: string, body?: object) =>
  server.call(method, path, { token, ...(body === undefined ? {} : { body }) });

async function readAll(path: string): Promise<Json[]> {
  const { json } = await call('GET', `${path}?limit=100`);
  return json.items;
}

async function countEvents(): Promise<number> {
  const [[count] = []] = await server.database.worker.run('SELECT count(*) FROM trellis.outbox');
  return Number(count);
}

const counts = ({ created, updated, unchanged, rejected }: ImportReport) => [
  created,
  updated,
  unchanged,
  rejected,
];
const repairsOf = (report: ImportReport) =>
  Object.fromEntries(report.repairs.map(({ how, rows }) => [how, rows]));
const reasonsOf = (report: ImportReport) =>
  Object.fromEntries(report.rejections.map(({ place, reasons }) => [place, reasons.join(' ')]));

test('books damaged by a spreadsheet are repaired, and every repair is counted', async () => {
  const report = await imported(join(samples, 'books.csv'));
  assert.deepEqual(counts(report), [21, 0, 0, 2]);
  assert.equal(exitCodeOf(report), 1);
  const repairs = repairsOf(report);
  // One row of the sample has an ISBN-10 only, one a number of eleven digits, two contradict each other.
  assert.equal(repairs['ISBN-13 computed from the ISBN-10'], 1);
  assert.equal(repairs['invalid ISBN-13 replaced with the one computed from the ISBN-10'], 1);
  assert.equal(
    repairs['ISBN-13 in scientific notation that contradicts the ISBN-10, computed from the ISBN-10'],
    2,
  );
  assert.equal(repairs['years before 1 dropped, which the API cannot store'], 1);
  assert.equal(repairs['years padded to four digits'], 1);

  const books = new Map((await readAll('/v1/books')).map((book) => [book.title, book]));
  const hunger = books.get('The Hunger Games (The Hunger Games, #1)');
  assert.equal(hunger.isbn13, '9780439023481');
  assert.equal(hunger.isbn10, '0439023483');
  assert.equal(hunger.language, 'en');
  assert.equal(hunger.publicationDate, '2008');
  assert.equal(hunger.status, 'DRAFT');
  assert.deepEqual(hunger.contributors, [{ name: 'Suzanne Collins', role: 'AUTHOR', position: null }]);
  assert.equal(books.get('Insurgent (Divergent, #2)').isbn10, '0007442912');
  assert.equal(books.get('The Odyssey').publicationDate, null);
  assert.equal(books.get('The Odyssey').contributors.length, 5);
  assert.equal(books.get('Beowulf').publicationDate, '0975');
  assert.equal(books.get('Alias Grace').language, 'de');
  assert.equal(books.get('Christine').language, 'fr');
  assert.equal(books.get('Bossypants').isbn13, null);
  assert.ok(books.has('The Princess Bride'), 'white space at the ends is no part of a title');

  const reasons = Object.values(reasonsOf(report));
  assert.equal(reasons.length, 2);
  for (const reason of reasons) assert.match(reason, /^isbn13: "9\.78\d+e\+12" is in scientific notation/);
});

test('a second run changes nothing, sends no write and causes no event', async () => {
  await imported(join(samples, 'books.csv'));
  const events = await countEvents();
  const again = await imported(join(samples, 'books.csv'));
  assert.deepEqual(counts(again), [0, 0, 21, 2]);
  assert.equal(await countEvents(), events);
});

test('a changed row becomes a PATCH of the differences, except with --existing skip', async () => {
  const header = 'sku,title,pages,publisher\n';
  const path = await write('books.csv', `${header}a,First,100,Ours\nb,Second,200,Ours\n`);
  assert.deepEqual(counts(await imported(path, { key: 'sku' })), [2, 0, 0, 0]);
  await write('books.csv', `${header}a,First,101,Ours\nb,Second,200,\n`);
  const kept = await imported(path, { key: 'sku', existing: 'skip' });
  assert.deepEqual(counts(kept), [0, 0, 2, 0]);
  assert.deepEqual(kept.kept, [
    {
      reason: 'existing records that differ from their rows, left as was chosen',
      count: 1,
      rows: [{ place: 'line 2', record: 'First' }],
    },
  ]);
  assert.deepEqual(counts(await imported(path, { key: 'sku' })), [0, 1, 1, 0]);
  const books = new Map((await readAll('/v1/books')).map((book) => [book.externalId, book]));
  assert.equal(books.get('a').pageCount, 101);
  assert.equal(books.get('a').version, 2);
  // An empty cell does not change the record.
  assert.equal(books.get('b').publisher, 'Ours');
  assert.equal(books.get('b').version, 1);
});

test('a file without a header line is imported with --columns', async () => {
  const path = join(samples, 'journals.csv');
  await assert.rejects(importTable(path, { resource: 'magazines' }), (error: unknown) => {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, /--columns/);
    return true;
  });
  const report = await imported(path, { resource: 'magazines', columns: ['title', 'abbreviation'] });
  assert.deepEqual(counts(report), [20, 0, 0, 0]);
  const magazines = new Map((await readAll('/v1/magazines')).map((magazine) => [magazine.title, magazine]));
  assert.equal(magazines.get('ABB Review').abbreviatedTitle, 'ABB Rev.');
  assert.equal(
    magazines.get('ATLA, Alternatives to Laboratory Animals').abbreviatedTitle,
    'ATLA, Altern. Lab. Anim.',
  );
});

test('contacts: semicolons, a byte order mark, line breaks in cells, mapped columns, companies by name', async () => {
  const path = await write(
    'people.csv',
    '\uFEFFFirst Name;surname;E-mail;E-Mail 2;Mobile phone;Organisation;Street;City;Country;Labels;Anmerkung;Shoe size\r\n' +
      'Ada;Lovelace;ada@example.com;ada@example.org;+44 20 7946 0018;Analytical Ltd;"12 St James\nSquare";London;United Kingdom;VIP, Press;"likes ""engines"";\nand maths";38\r\n' +
      ';;bo@example.com;;;analytical ltd;;;;;;\r\n',
  );
  const report = await imported(path, { resource: 'contacts', map: [readMapRule('Anmerkung=notes')] });
  assert.deepEqual(report.rejections, []);
  assert.deepEqual(counts(report), [2, 0, 0, 0]);
  assert.deepEqual(report.linked, { companies: 1 });
  assert.deepEqual(report.notImported, [{ field: 'Shoe size', rows: 1, example: '38' }]);
  const [company] = await readAll('/v1/crm/companies');
  const people = new Map(
    (await readAll('/v1/crm/contacts')).map((person) => [person.emails[0].address, person]),
  );
  const ada = people.get('ada@example.com');
  assert.equal(ada.displayName, 'Ada Lovelace');
  assert.deepEqual(
    ada.emails.map(({ address }: Json) => address),
    ['ada@example.com', 'ada@example.org'],
  );
  assert.deepEqual([ada.phones[0].label, ada.phones[0].e164], ['mobile', '+442079460018']);
  assert.deepEqual(
    [ada.addresses.length, ada.addresses[0].street, ada.addresses[0].country],
    [1, '12 St James\nSquare', 'GB'],
  );
  assert.deepEqual(ada.tags, ['vip', 'press']);
  assert.equal(ada.notes, 'likes "engines";\nand maths');
  assert.deepEqual(
    ada.companies.map(({ companyId }: Json) => companyId),
    [company.id],
  );
  assert.equal(people.get('bo@example.com').companies[0].companyId, company.id);
  assert.deepEqual(repairsOf(report), { 'names of countries written as codes': 1 });

  const events = await countEvents();
  assert.deepEqual(
    counts(await imported(path, { resource: 'contacts', map: [readMapRule('Anmerkung=notes')] })),
    [0, 0, 2, 0],
  );
  assert.equal(await countEvents(), events);
});

test('a row whose company, parent or key the API refuses is rejected, and the others are imported', async () => {
  const long = 'x'.repeat(300);
  const people = await write('people.csv', `surname,company\nOne,Ours\nTwo,${long}\nThree,Ours\n`);
  const report = await imported(people, { resource: 'contacts' });
  assert.deepEqual(counts(report), [2, 0, 0, 1]);
  assert.match(reasonsOf(report)['line 3'] ?? '', /^company "x+": name: Must have at most 255 characters/);
  const issues = await write(
    'issues.ndjson',
    `{"number":"1","magazineId":"${long}"}\n{"number":"2","magazineId":"../books"}\n{"number":"3","externalId":"${long}","magazineId":"x"}\n`,
  );
  const refused = await imported(issues, { resource: 'issues' });
  assert.deepEqual([counts(refused), refused.stopped], [[0, 0, 0, 3], null]);
  assert.match(
    reasonsOf(refused)['line 2'] ?? '',
    /"\.\.\/books" of magazines, which is neither in this organization/,
  );
});

test('NDJSON: companies with parents further down, issues of a magazine', async () => {
  const companies = await write(
    'companies.ndjson',
    '{"externalId":"child","name":"Child","parentCompanyId":"parent","domains":["child.example.com"],"annualRevenue":{"amount":"12.5","currency":"EUR"}}\n\n' +
      '{"externalId":"parent","name":"Parent","employeeCount":12}\n{"externalId":"orphan","name":"Orphan","parentCompanyId":"nobody"}\n',
  );
  const report = await imported(companies, { resource: 'companies' });
  assert.deepEqual(counts(report), [2, 0, 0, 1]);
  assert.match(reasonsOf(report)['line 4'] ?? '', /parentCompanyId: "nobody" is neither/);
  const byKey = new Map((await readAll('/v1/crm/companies')).map((company) => [company.externalId, company]));
  assert.equal(byKey.get('child').parentCompanyId, byKey.get('parent').id);
  assert.deepEqual(byKey.get('child').annualRevenue, { amount: '12.5', currency: 'EUR' });

  const magazine = (await call('POST', '/v1/magazines', { title: 'Sea', issnPrint: '0028-0836' })).json;
  const issues = await write(
    'issues.ndjson',
    '{"number":"3-4","volume":12,"year":2026,"coverDate":"Spring 2026"}\n{"number":"5","year":2026,"status":"PUBLISHED"}\n',
  );
  await assert.rejects(importTable(issues, { resource: 'issues' }), /--magazine/);
  const first = await imported(issues, { resource: 'issues', parents: { magazine: '0028-0836' } });
  assert.deepEqual(counts(first), [2, 0, 0, 0]);
  assert.deepEqual(repairsOf(first), {
    'status PUBLISHED of the row ignored, since statuses are not applied': 1,
  });
  const path = `/v1/magazines/${magazine.id}/issues`;
  assert.deepEqual(
    (await readAll(path)).map(({ number, volume, status }) => `${number} ${volume} ${status}`).sort(),
    ['3-4 12 PLANNED', '5 null PLANNED'],
  );
  const moved = await imported(issues, { resource: 'issues', parents: { magazine: 'Sea' }, statuses: true });
  assert.deepEqual(counts(moved), [0, 1, 1, 0]);
  assert.deepEqual((await readAll(path)).map(({ status }) => status).sort(), ['PLANNED', 'PUBLISHED']);
});

test('categories, tags and articles are imported into a site; names of tags become tags', async () => {
  const site = (await call('POST', '/v1/sites', { name: 'Blog', key: 'blog' })).json;
  const path = await write(
    'articles.csv',
    'headline,text,tags,author,status\nHello,"# Hi\n\nthere ",A; B,"Ada, Bo",PUBLISHED\n',
  );
  const report = await imported(path, { resource: 'articles', parents: { site: 'blog' } });
  assert.deepEqual([counts(report), report.linked], [[1, 0, 0, 0], { tags: 2 }]);
  const [article] = await readAll(`/v1/sites/${site.id}/articles`);
  assert.equal(article.versionData.body, '# Hi\n\nthere ');
  assert.equal(article.state, 'UNPUBLISHED');
  assert.equal(article.articleData.tagIds.length, 2);
  const tree = await write(
    'categories.csv',
    'name,slug,parentId,externalId\nFish,fish,animals,fish\nAnimals,animals,,animals\n',
  );
  assert.deepEqual(
    counts(await imported(tree, { resource: 'categories', parents: { site: 'blog' } })),
    [2, 0, 0, 0],
  );
  const categories = new Map(
    (await readAll(`/v1/sites/${site.id}/categories`)).map((category) => [category.slug, category]),
  );
  assert.equal(categories.get('fish').parentId, categories.get('animals').id);
  await assert.rejects(importTable(tree, { resource: 'categories' }), /--site/);
  await assert.rejects(
    importTable(tree, { resource: 'books', parents: { site: 'blog' } }),
    /--site does not apply: books have no site/,
  );
});

test('a dry run finds the faults and writes nothing', async () => {
  const events = await countEvents();
  const report = await imported(join(samples, 'books.csv'), { dryRun: true });
  assert.deepEqual(counts(report), [21, 0, 0, 2]);
  assert.equal(await countEvents(), events);
  assert.deepEqual(await readAll('/v1/books'), []);
});

test('a dry run finds what only the server can refuse, so that the run that follows accepts as many rows', async () => {
  assert.equal((await call('PATCH', '/v1/organization', { defaultCountry: 'DE' })).status, 200);
  const emails = [{ address: 'ada@example.com' }];
  assert.equal((await call('POST', '/v1/crm/contacts', { lastName: 'Lovelace', emails })).status, 201);
  const bo = { lastName: 'Li', emails: [{ address: 'bo@example.com' }] };
  assert.equal((await call('POST', '/v1/crm/contacts', bo)).status, 201);
  const path = await write(
    'contacts.csv',
    [
      'last name,email,phone,company',
      // The addresses belong to two people whom the import has not made.
      'Byron,ADA@example.com; bo@example.com,,',
      // A number is possible in one country, and not in another.
      'Hopper,,03,',
      'Turing,alan@example.com,030 1234567,"Acme; Bletchley"',
    ].join('\n'),
  );
  const trial = await imported(path, { resource: 'contacts', dryRun: true });
  const report = await imported(path, { resource: 'contacts' });
  assert.deepEqual(counts(trial), [1, 0, 0, 2]);
  assert.deepEqual(counts(report), counts(trial));
  const placesOf = ({ rejections }: ImportReport) => rejections.map(({ place }) => place).sort();
  assert.deepEqual(placesOf(report), placesOf(trial));
  const reasons = reasonsOf(trial);
  assert.match(
    reasons['line 2'] ?? '',
    /^Matches two records: Lovelace \(con_\w+\) by its e-mail address "ada@example.com", and Li \(con_\w+\) by its e-mail address "bo@/,
  );
  assert.match(reasons['line 3'] ?? '', /^phones\.0\.number: Has too few digits/);
});

test('a German table is imported without a mapping: names of columns, countries, languages and values', async () => {
  const path = await write(
    'kontakte.csv',
    [
      'Vorname;Nachname;Firma;Position;E-Mail-Adresse;Telefon;Handy;Straße;PLZ;Ort;Land;Sprache;Bemerkung;Lifecycle-Phase;Lead-Status;Nicht kontaktieren',
      'Grete;Grün;Grün & Söhne;Leitung;grete@example.com;+49 30 1234567;+49 170 1234567;Am Markt 1;10115;Berlin;Deutschland;Deutsch;Kennt uns;Kunde;in arbeit;ja',
      'Otto;Ostermann;Grün & Söhne;Kasse;otto@example.com;;;Seeweg 2;1010;Wien;Österreich;;;Verkaufschance;;nein',
    ].join('\n'),
  );
  const report = await imported(path, { resource: 'contacts' });
  assert.deepEqual(counts(report), [2, 0, 0, 0]);
  assert.deepEqual(report.notImported, []);
  const found = (await readAll('/v1/crm/contacts')).find(({ lastName }) => lastName === 'Grün');
  assert.equal(found?.jobTitle, 'Leitung');
  assert.equal(found?.locale, 'de');
  assert.equal(found?.notes, 'Kennt uns');
  assert.deepEqual(
    [found?.lifecycleStage, found?.leadStatus, found?.doNotContact],
    ['CUSTOMER', 'IN_PROGRESS', true],
  );
  assert.deepEqual(
    found?.phones.map(({ e164, label }: Json) => [e164, label]),
    [
      ['+49301234567', null],
      ['+491701234567', 'mobile'],
    ],
  );
  const [{ street, postalCode, city, country } = {}] = found?.addresses ?? [];
  assert.deepEqual([street, postalCode, city, country], ['Am Markt 1', '10115', 'Berlin', 'DE']);
  assert.deepEqual(
    (await readAll('/v1/crm/companies')).map(({ name }) => name),
    ['Grün & Söhne'],
  );
});

test('rejected rows are listed in the order of the file, whichever was rejected first', async () => {
  const held = { title: 'Held', isbn13: '9780140449136', externalId: 'held' };
  assert.equal((await call('POST', '/v1/books', held)).status, 201);
  // The first of two rows waits for the server, and the second breaks a rule that the importer knows.
  const rows = Array.from({ length: 150 }, (_, index) =>
    index % 2 === 0 ? `Title ${index},9780140449136,,${index}` : `Title ${index},,not a language,`,
  );
  const path = await write('books.csv', ['title,isbn,language,externalId', ...rows].join('\n'));
  const { rejected, rejections } = await imported(path, { resource: 'books' });
  assert.equal(rejected, rows.length);
  assert.deepEqual(
    rejections.map(({ place }) => place),
    Array.from({ length: 100 }, (_, index) => `line ${index + 2}`),
  );
});

test('the preview shows columns, fields and three values; a no ends the import', async () => {
  let shown = '';
  const response = await importTable(join(samples, 'books.csv'), {}, async (text) => {
    shown = text;
    return false;
  });
  assert.equal(response, null);
  assert.match(shown, /language_code +language +eng \| en-US \| ara/);
  assert.match(
    shown,
    /17 columns with values will not be imported .*\n(?: {4}.*\n)*? {4}average_rating: 4\.34\n/,
  );
  assert.match(shown, /authors: separated by comma/);
  assert.match(shown, /New records get: .*status DRAFT, contributors\.role AUTHOR/);
  assert.match(shown, /Read as utf-8, delimiter ",", header in line 1 /);
  assert.deepEqual(await readAll('/v1/books'), []);
});

test('rejected rows are written with the reason, and the corrected file can be imported', async () => {
  const rejectedFile = join(folder, 'rejected.csv');
  const path = await write(
    'books.csv',
    'title;isbn;pages\n"Good; ""one""";9780141439471;10\n"Bad; ""one""";9780141439470;20\n;;30\n',
  );
  const report = await imported(path, { rejectedFile });
  assert.deepEqual(counts(report), [1, 0, 0, 2]);
  assert.equal(report.rejectedFile, rejectedFile);
  const text = await readFile(rejectedFile, 'utf8');
  const [header, bad] = text.split('\n');
  assert.equal(header, 'rejected_because;title;isbn;pages');
  assert.ok(bad?.endsWith(';"Bad; ""one""";9780141439470;20'), bad);
  await writeFile(
    rejectedFile,
    text.replaceAll('9780141439470', '9780140449136').replace(';;;30', ';Third;;30'),
  );
  await assert.rejects(importTable(rejectedFile, { rejectedFile }), UsageError);
  const corrected = await imported(rejectedFile, { rejectedFile: join(folder, 'again.csv') });
  assert.deepEqual([counts(corrected), corrected.notImported], [[2, 0, 0, 0], []]);
});

test('a rejected row says whose it is, and gives the values that are at fault', async () => {
  const long = 'x'.repeat(300);
  const path = await write(
    'people.csv',
    [
      'id,first name,last name,email,email 2,language,notes',
      'k1,Ada,Lovelace,ada@example.com,ada at example,en,',
      `k2,<b>Bo</b>,=1+1,bo@example.com,,${long},`,
      ',,,,,"qq\u001b[31m",a note',
      '',
    ].join('\n'),
  );
  const report = await imported(path, { resource: 'contacts', key: 'id', dryRun: true });
  const given = report.rejections.map(({ place, record, values }) => ({ place, record, values }));
  assert.deepEqual(given, [
    { place: 'line 2', record: 'k1 · Ada Lovelace', values: ['ada at example'] },
    { place: 'line 3', record: 'k2 · <b>Bo</b> =1+1', values: [`${'x'.repeat(79)}…`] },
    { place: 'line 4', record: 'qq [31m', values: ['qq [31m'] },
  ]);
  const text = describeReport(report);
  assert.match(text, /line 2 \(k1 · Ada Lovelace\): emails\.1\.address: .+ Given: "ada at example"\./);
  assert.equal(text.includes('\u001b'), false);
});

test('what a file contains does not change the order of what the report says around it', async () => {
  const path = await write(
    'people.csv',
    'last name,stage,a\u001b[31m\u202eb\nÜnal,Bogus\u202eegatS,1\nשלום,\u2066x\u2069,\n',
  );
  const report = await imported(path, { resource: 'contacts', dryRun: true });
  assert.equal(report.rejected, 2);
  const text = describeReport(report);
  assert.match(text, /"Bogus egatS" in stage is unknown for lifecycleStage/);
  assert.match(text, /line 3 \(שלום\): lifecycleStage: /);
  assert.match(text, /^ {2}a \[31m b \(1 row, such as 1\)$/m);
  assert.doesNotMatch(text, /\p{Bidi_Control}/u);
  assert.equal(text.includes('\u001b'), false);
});

test('repeated rows are skipped; contradicting and conflicting rows are rejected', async () => {
  await call('POST', '/v1/books', { title: 'Held', isbn13: '9780140449136' });
  const path = await write(
    'books.csv',
    'title,isbn,pages\nOne,9780141439471,10\nOne,978-0-14-143947-1,10\nOne,9780141439471,11\nTaken,9780140449136,1\n',
  );
  const report = await imported(path);
  // The book that was there is found by its ISBN.
  assert.deepEqual(counts(report), [1, 1, 1, 1]);
  assert.deepEqual(repairsOf(report), { 'repeated rows skipped': 1 });
  assert.match(reasonsOf(report)['line 4'] ?? '', /^Stands for the same record as line 2/);
  const byKey = await imported(
    await write('keys.csv', 'key,title,isbn\na,A,9780306406157\nb,B,9780306406157\n'),
    { key: 'key' },
  );
  assert.deepEqual(counts(byKey), [1, 0, 0, 1]);
  assert.match(reasonsOf(byKey)['line 3'] ?? '', /^isbn13 "9780306406157" is also in line 2/);
});

test('hostile files: invalid bytes, NUL and ragged rows are rejected, formulas are kept as text', async () => {
  const path = await write(
    'books.csv',
    Buffer.concat([
      Buffer.from('title,publisher\nGood,Öürs\nLatin '),
      Buffer.from([0xe9]),
      Buffer.from(
        ',Ours\nNul\0,Ours\nShort\nLong,Ours,and more\n"=HYPERLINK(""x"")",+1\n5" disk,Ours\n,\n__proto__,constructor\n',
      ),
    ]),
  );
  const report = await imported(path);
  assert.deepEqual(counts(report), [4, 0, 0, 4]);
  const reasons = reasonsOf(report);
  assert.match(reasons['line 3'] ?? '', /^title: Must be valid UTF-8/);
  assert.match(reasons['line 4'] ?? '', /^title: Must not contain a NUL character/);
  assert.match(reasons['line 5'] ?? '', /has 1 cells instead of 2/);
  assert.match(reasons['line 6'] ?? '', /the first extra one is "and more"/);
  assert.deepEqual(report.skipped, [{ what: 'empty rows', count: 1 }]);
  const titles = (await readAll('/v1/books')).map(({ title }) => title).sort();
  assert.deepEqual(titles, ['5" disk', '=HYPERLINK("x")', 'Good', '__proto__']);
});

test('hostile files: an unclosed quotation mark stops the import after the rows before it', async () => {
  const open = await write('open.csv', 'title\nBefore\n"never closed\nAfter\n');
  const report = await imported(open);
  assert.deepEqual([counts(report), exitCodeOf(report)], [[1, 0, 0, 0], 1]);
  assert.match(report.stopped ?? '', /No row after line 2 .* quotation mark is never closed/);
  const huge = await imported(await write('huge.csv', `title\nFirst\n${'x'.repeat(3_000_000)}\nLast\n`));
  assert.deepEqual([huge.created, huge.stopped !== null], [1, true]);
});

test('hostile NDJSON: each line is independent, and one that is too long is skipped', async () => {
  const path = await write(
    'books.ndjson',
    Buffer.concat([
      Buffer.from(
        `{"title":"One"}\n{"title":"${'x'.repeat(3_000_000)}"}\n[1]\n{"title":"a","title":"b"}\n{"title":"`,
      ),
      Buffer.from([0xff]),
      Buffer.from(
        '"}\n{"title":"Two","contributors":[{"name":"A","rolle":"AUTHOR"}]}\n{"title":"Three","extra":{"deep":1}}',
      ),
    ]),
  );
  const report = await imported(path, { rejectedFile: join(folder, 'rejected.ndjson') });
  assert.deepEqual(counts(report), [2, 0, 0, 5]);
  const reasons = reasonsOf(report);
  assert.match(reasons['line 2'] ?? '', /longer than 1048576 bytes/);
  assert.match(reasons['line 3'] ?? '', /not a JSON object/);
  assert.match(reasons['line 6'] ?? '', /Unknown field "rolle"/);
  assert.deepEqual(report.notImported, [{ field: 'extra.deep', rows: 1, example: '1' }]);
});

test('an unknown name in --map, --key or --resource is reported before any request', async () => {
  const path = await write('books.csv', 'title\nA\n');
  await assert.rejects(importTable(path, { map: [readMapRule('title=titel')] }), /Did you mean "title"/);
  await assert.rejects(importTable(path, { resource: null }), /--resource is required/);
  await assert.rejects(importTable(path, { resource: 'bucks' }), /no resource "bucks"/);
  await assert.rejects(
    importTable(await write('twice.csv', 'title,title\nA,B\n')),
    /Two columns have the name "title"/,
  );
  await assert.rejects(
    importTable(path, { key: 'tilte' }),
    /--key: there is no column "tilte" in .*books\.csv\. Did you mean "title"\?/,
  );
  for (const settings of [{ lists: 'replace' }, { invalid: 'omit' }, { dates: 'dmy' }] as const) {
    const [option] = Object.keys(settings);
    await assert.rejects(
      importTable(path, { columnSettings: { Tgas: settings } }),
      new RegExp(`--${option}: there is no column "Tgas" in .*books\\.csv\\. There are: title\\.`),
    );
  }
  // Where each row has its own names, only the last one tells.
  const lines = await write('books.ndjson', '{"title":"A"}\n');
  const absent = await imported(lines, { key: 'sku', columnSettings: { Tgas: { lists: 'replace' } } });
  assert.deepEqual(absent.absentNames, ['sku', 'Tgas']);
});
