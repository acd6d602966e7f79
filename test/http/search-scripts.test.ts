/**
 * What people type finds what they mean, in each script and notation: by search and by the filter of lists. The texts are those of public
 * reports about comparable systems, and of everyday documents.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';
import { create, idsOf } from '../support/writes.ts';

let server: TestServer;
let articles: string;
before(async () => {
  server = await startTestServer();
  const site = await create(server, '/v1/sites', { name: 'Scripts', key: 'scripts' });
  articles = `/v1/sites/${site.id}/articles`;
});
after(() => server.close());

type Way = 'search' | 'filter';

/** Asks the search and the list's filter for records of a collection. */
async function expectFound(
  path: string,
  query: string,
  id: string,
  ways: readonly Way[] = ['search', 'filter'],
) {
  const text = encodeURIComponent(query);
  for (const way of ways) {
    const ids = await idsOf(
      server,
      way === 'search' ? `${path}/search?query=${text}` : `${path}?search=${text}`,
    );
    assert.ok(ids.includes(id), `${way} for ${query}`);
  }
}

async function expectNothing(path: string, query: string): Promise<void> {
  const text = encodeURIComponent(query);
  assert.deepEqual(await idsOf(server, `${path}/search?query=${text}`), [], `search for ${query}`);
  assert.deepEqual(await idsOf(server, `${path}?search=${text}`), [], `filter for ${query}`);
}

interface Case {
  readonly title: string;
  readonly body?: string;
  readonly locale?: string;
  readonly found: readonly string[];
  readonly not?: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'a part of a run of Chinese': {
    title: '我们的图书馆管理系统介绍',
    body: '这个系统帮助我们管理图书馆的所有书籍，并且支持多种语言的检索。',
    locale: 'zh-CN',
    found: ['管理系统', '图书馆', '系统', '书籍', '介', '多种语言', '图书馆 检索', '"管理系统"'],
    not: ['系统管理', '"书籍管理"'],
  },
  'a part of a run of Japanese, in either kana': {
    title: '東京都立図書館のサーバー管理',
    body: 'コンピュータの基礎を学ぶ。ひらがなとカタカナ。',
    locale: 'ja',
    found: [
      '図書館',
      'サーバー',
      'さーばー',
      'コンピュータ',
      'こんぴゅーた',
      'カタカナ',
      '基礎',
      '都立',
      'ﾋﾗｶﾞﾅ',
    ],
    not: ['京都市'],
  },
  'a part of a Korean compound': {
    title: '도서관관리시스템을 소개합니다',
    body: '서울특별시 교육청',
    locale: 'ko',
    found: ['관리시스템', '시스템', '도서관', '교육', '특별시'],
    not: ['시스템관리'],
  },
  'a part of a run of Thai': {
    title: 'ห้องสมุดแห่งชาติเปิดให้บริการ',
    locale: 'th',
    found: ['ห้องสมุด', 'แห่งชาติ', 'บริการ'],
  },
  'Arabic and Persian with and without marks': {
    title: 'المَكْتَبَة الوطنية',
    body: 'می‌خواهم کتاب بخوانم',
    locale: 'ar',
    found: ['المكتبة', 'الوطنية', 'کتاب', 'می‌خواهم', 'میخواهم'],
  },
  Devanagari: { title: 'राष्ट्रीय पुस्तकालय', locale: 'hi', found: ['पुस्तकालय', 'राष्ट्रीय'] },
  'all hyphens and dashes are one': {
    title: 'Nicht\u2011lineare E\u2010Mail\u2013Anbindung, A\u22121',
    found: ['nicht-lineare', 'nichtlineare', 'e-mail', 'email', 'E\u2013Mail', 'A-1', 'Anbindung'],
  },
  'soft hyphens and other invisible characters': {
    title: 'Donau\u00addampf\u00adschiff',
    body: 'ein\u200bfach zusammen\u2060geschrieben \ufeffanfang',
    found: ['Donaudampfschiff', 'Donau\u00addampfschiff', 'einfach', 'zusammengeschrieben', 'anfang'],
  },
  'a word divided at the end of a line': {
    title: 'Zeilenumbruch',
    body: 'In der Biblio-\nthek stehen Wörter-\nbücher und ein Zeitungs\u00ad\nleser.',
    found: ['Bibliothek', 'Wörterbücher', 'Zeitungsleser'],
  },
  'character references and tags inside words': {
    title: 'caf<b>eteria</b> M&uuml;nchen',
    body: 'Vor<span class="x">lesung</span> &#268;esk&yacute; <p>erster</p><p>zweiter</p>',
    found: ['cafeteria', 'München', 'Vorlesung', 'Český', 'erster', 'zweiter'],
    not: ['ersterzweiter'],
  },
  'spellings of Arabic and Persian, and digits of other scripts': {
    title: 'كـتـاب مدرسة یک مستشفى ۱۲۳',
    locale: 'fa',
    found: ['كتاب', 'کتاب', 'مدرسه', 'يك', 'مستشفي', '123', '١٢٣'],
  },
  'abbreviations and numbers with points, and all apostrophes': {
    title: 'Abbreviations',
    body: 'Made in the U.S.A. with Node.js for 1,000.50; п’ять, Hawaiʻi, חז״ל, pel·lícula',
    found: [
      'USA',
      'u.s.a',
      'nodejs',
      'node.js',
      '1000.50',
      'пʼять',
      "п'ять",
      'пять',
      "hawai'i",
      'hawaii',
      'חזל',
      'pellicula',
    ],
  },
  'pictographs, alone and in sequences': {
    title: 'Party🔥 and coder 👩🏽‍💻',
    body: 'Good morning 🌞🌻',
    found: ['🔥', '👩🏽‍💻', '👩', '🌞', '🌻', 'party'],
    not: ['🎉', '🌻🌞'],
  },
  'words after slashes, in angle brackets and in code': {
    title: 'Kunden/Lieferanten und Vec<Widget>',
    body: 'Ruft `std::collections::HashMap::new()` auf; siehe www.muster.example/preise?jahr=2024',
    found: [
      'Lieferanten',
      'Widget',
      'vec',
      'hashmap',
      'collections',
      'muster',
      'www.muster.example',
      'preise',
    ],
  },
};

for (const [name, { title, body, locale, found, not = [] }] of Object.entries(cases))
  test(name, async () => {
    const { id } = await create(server, articles, {
      versionData: { title, ...(body && { body }), ...(locale && { locale }) },
    });
    for (const query of found) await expectFound(articles, query, id);
    for (const query of not) await expectNothing(articles, query);
  });

test('other forms of words are found in the language of the text', async () => {
  const forms: readonly (readonly [title: string, locale: string, ...queries: string[]])[] = [
    ['Библиотеки и архивы', 'ru', 'библиотека', 'архив', 'БИБЛИОТЕКИ'],
    ['Alte Häuser', 'de-AT', 'Haus', 'häuser'],
    ['Les bibliothèques municipales', 'fr', 'bibliothèque', 'municipale'],
    ['Bibliotecas públicas', 'es', 'biblioteca', 'publica'],
    ['Kirjastoissa', 'fi', 'kirjastot'],
    ['Βιβλιοθήκες', 'el', 'βιβλιοθήκη'],
    ['Könyvtárakban', 'hu', 'könyvtárak'],
  ];
  for (const [title, locale, ...queries] of forms) {
    const { id } = await create(server, articles, { versionData: { title, locale } });
    for (const query of queries) await expectFound(articles, query, id, ['search']);
  }
});

test('names of files and identifiers are found by their parts, also beside others that have them as words', async () => {
  const files = '/v1/knowledge-files';
  const named = await create(server, files, { name: '2024-05-01-Protokoll.pdf' });
  const bill = await create(server, files, { name: 'rechnung-4711' });
  const contract = await create(server, files, { name: 'Vertrag_Meier.docx' });
  for (const name of ['Protokoll', 'rechnung', 'Vertrag Meier', '4711'])
    await create(server, files, { name });
  for (const query of ['Protokoll', '2024-05-01', 'Protokoll.pdf', 'proto', '20240501'])
    await expectFound(files, query, named.id, ['search']);
  for (const query of ['rechnung', '4711', 'rechnung-4711', 'Rechnung 4711', 'rechnung4711'])
    await expectFound(files, query, bill.id, ['search']);
  for (const query of ['Vertrag', 'Meier', 'Vertrag_Meier', 'docx', 'Vertrag Meier'])
    await expectFound(files, query, contract.id, ['search']);
  for (const query of ['2024-05-01', 'Protokoll']) await expectFound(files, query, named.id, ['filter']);
});

test('numbers that identify are found in any notation', async () => {
  const book = await create(server, '/v1/books', {
    title: 'Numbered',
    isbn13: '978-0-14-143947-1',
    doi: 'https://doi.org/10.1000/ABC.182-x',
    externalId: 'ERP/2024-00017',
  });
  const isbns = [
    '9780141439471',
    '978-0-14-143947-1',
    '978 0 14 143947 1',
    '0-14-143947-5',
    '0141439475',
    'ISBN 978-0-14-143947-1',
  ];
  const others = [
    '10.1000/abc.182-x',
    'https://doi.org/10.1000/abc.182-x',
    'abc.182',
    'ERP/2024-00017',
    '2024-00017',
  ];
  for (const query of [...isbns, ...others]) await expectFound('/v1/books', query, book.id);
  const magazine = await create(server, '/v1/magazines', { title: 'Serial', issnPrint: '0028-0836' });
  for (const query of ['0028-0836', '00280836', '0028\u20110836', 'ISSN 0028-0836'])
    await expectFound('/v1/magazines', query, magazine.id);
  const contact = await create(server, '/v1/crm/contacts', {
    firstName: 'Numbered',
    externalId: 'CRM-000042',
    phones: [{ number: '+49 30 901820', label: 'work', isPrimary: true }],
  });
  for (const query of ['CRM-000042', 'crm000042', '000042', '030 901820', '+49 (0)30 901820', '901820'])
    await expectFound('/v1/crm/contacts', query, contact.id);
  const slugged = await create(server, articles, {
    articleData: { slug: 'a-slug-of-its-own' },
    versionData: { title: 'Something else' },
  });
  for (const query of ['a-slug-of-its-own', 'slug-of-its']) await expectFound(articles, query, slugged.id);
  const company = await create(server, '/v1/crm/companies', { name: 'www.muster-firma.example' });
  for (const query of ['muster', 'muster-firma', 'www.muster-firma.example', 'firma'])
    await expectFound('/v1/crm/companies', query, company.id);
});
