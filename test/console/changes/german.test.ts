/** What people read in German: nothing of it is missing, and help has no words of the API. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { problemCatalogue } from '@trellis/schema/problem.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import { germanScopes, scopes } from '@trellis/schema/rights/scopes.ts';
import { loadNames } from '../../../packages/console/src/text/names.ts';
import { german, germanProblems } from '../../../packages/console/src/text/sentences.de.ts';
import { english, findSentences } from '../../../packages/console/src/text/sentences.ts';

/** What people do not see: names of fields and values as in the API, code marks, and standards by number. */
const identifier = /`|[a-z][A-Z]|[A-Z]_|\b(?!ISBN\b|ISSN\b|DOI\b|URL\b)[A-Z]{3,}\b|\b(?:ISO|RFC) \d|\bnull\b/;

/** Faults of the help of a field in a language. */
function helpFaults(help: string, label: string): string[] {
  const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-zäöüß]/g, '');
  return [
    ...(help.trim() === '' ? ['is empty'] : []),
    ...(identifier.test(help) ? ['has an identifier'] : []),
    ...(letters(help) === letters(label) ? ['repeats the label'] : []),
    ...(/[.“”]$/.test(help) ? [] : ['is no sentence']),
  ];
}

test('help is in both languages, has no identifiers, and does not repeat the label', async () => {
  const found = await Promise.all(
    (['en', 'de'] as const).map(async (language) => {
      const names = await loadNames(language);
      return resources.flatMap((resource) =>
        flattenFields(resource).flatMap(([name, field]) => {
          const help = names.help(field);
          if (help === undefined) return [];
          return helpFaults(help, names.field(name)).map(
            (fault) => `${language}: ${resource.name} ${name} ${fault}: ${help}`,
          );
        }),
      );
    }),
  );
  assert.deepEqual(found.flat(), []);
  const helped = resources.flatMap(flattenFields).filter(([, { help }]) => help !== null);
  assert.ok(helped.length > 40);
});

test('titles of sections are in both languages, and have no identifiers', () => {
  const titles = resources.flatMap(({ sections = [] }) => sections.map(({ title }) => title));
  assert.deepEqual(
    titles.filter(({ en, de }) => identifier.test(en) || identifier.test(de) || de.trim() === ''),
    [],
  );
  assert.ok(titles.length > 20, `${titles.length} titles`);
});

test('identifiers and repetitions in help are found', () => {
  const faulty: Readonly<Record<string, string>> = {
    'Also `allowedUserIds`.': 'has an identifier',
    'Articles that are APPROVED.': 'has an identifier',
    'A language tag (BCP 47).': 'has an identifier',
    'Absent: null.': 'has an identifier',
    'Publication date.': 'repeats the label',
    'A date': 'is no sentence',
    ' ': 'is empty',
  };
  for (const [help, fault] of Object.entries(faulty))
    assert.ok(helpFaults(help, 'Publication date').includes(fault), help);
});

test('the meaning of every scope is in German', () => {
  assert.deepEqual(Object.keys(germanScopes), Object.keys(scopes));
  const same = Object.keys(scopes).filter((scope) => germanScopes[scope] === scopes[scope]);
  assert.deepEqual(same, []);
});

test('one word is used for the status of a record', async () => {
  for (const language of ['en', 'de'] as const) {
    const names = await loadNames(language);
    const labels = resources.flatMap(flattenFields).map(([name]) => names.field(name));
    assert.deepEqual(
      labels.filter((label) => /^(state|zustand)$/i.test(label)),
      [],
    );
  }
});

test('every code of problems has a German title', () => {
  assert.deepEqual(Object.keys(germanProblems).sort(), Object.keys(problemCatalogue).sort());
});

/** Where the faults and problems are made that people see. */
const places = [
  'schema/src/{resources,rights,validation}/*.ts',
  'server/src/features/{access,articles,crm,issues,knowledge,uses,views}/**/*.ts',
  'server/src/features/{sign-in,webhooks}/*.ts',
  'server/src/kernel/pipeline/{hierarchy.ts,timers.ts}',
  'server/src/kernel/pipeline/write/{,steps/}*.ts',
  'server/src/kernel/identity/{actor,browser-requests,secrets,session-cookie}.ts',
];
/** A sentence behind a name or function that makes a fault or problem of it. */
const said =
  /(?:\bdetail(?::|\s=)|new Problem\(\s*'[a-z_]+',|(?:refuse|signInFailed|conflict)\()\s*(?:\w+ \? )?(?:'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\]|\\.)+)`)/g;
/** What only programs, operators and the log read. */
const notForPeople =
  /client of the kind CONSOLE|bearer token|^With a session, |^The record is at version|^The process |^The response of the process|^The content has|^x Try again\.$|^No copy without metadata|^x may x x, which|^Records are matched by this value|^No record matches, so /;

/** The sentences in the sources, with `x` for what differs. */
async function readSentences(): Promise<string[]> {
  const root = fileURLToPath(new URL('../../../packages/', import.meta.url));
  const files = await Array.fromAsync(glob(places, { cwd: root }));
  const sources = await Promise.all(files.map((file) => readFile(`${root}${file}`, 'utf8')));
  const found = sources.flatMap((source) =>
    [...source.matchAll(said)].map(([, plain, template]) =>
      (plain ?? template ?? '')
        .replaceAll(/\$\{hint\}/g, '')
        .replaceAll(/to \$\{to\}, \$\{text\}/g, 'to x, only to x')
        .replaceAll(/\$\{quoteName\(\w+\)\}/g, '"x"')
        .replaceAll(/\$\{[^}]*\}/g, 'x'),
    ),
  );
  return [...new Set(found)].filter(
    (sentence) => /^[A-Zx].*\.$/.test(sentence) && !notForPeople.test(sentence),
  );
}

test('what the server and the rules of forms say to people has German sentences', async () => {
  const names = await loadNames('de');
  const sentences = await readSentences();
  assert.ok(sentences.length > 70, `${sentences.length} sentences`);
  assert.deepEqual(
    sentences.filter((sentence) => names.sentence(sentence) === sentence),
    [],
  );
});

test('why a webhook cannot be called has German sentences', async () => {
  const names = await loadNames('de');
  const files = ['address-guard', 'sender'].map((name) => `server/src/features/webhooks/${name}.ts`);
  const root = fileURLToPath(new URL('../../../packages/', import.meta.url));
  const sources = (await Promise.all(files.map((file) => readFile(`${root}${file}`, 'utf8')))).join('\n');
  const howToAllow = /howToAllow =\s*'([^']+)'/.exec(sources)?.[1] ?? '';
  // Each whole literal that is a sentence is one for people.
  const found = [...sources.matchAll(/['`]([A-Z][^'`\n]* [^'`\n]*)(?<=[.}])['`]/g)]
    .map(([, sentence = '']) =>
      sentence.replaceAll(/\$\{howToAllow\}/g, howToAllow).replaceAll(/\$\{[^}]*\}/g, 'x'),
    )
    .filter((sentence) => sentence !== howToAllow);
  assert.ok(found.length > 15, `${found.length} sentences`);
  assert.deepEqual(
    found.filter((sentence) => names.sentence(sentence) === sentence),
    [],
  );
});

test('each sentence of a table is found, and by no pattern of another one', async () => {
  const words = { field: String, value: String, list: String, records: String };
  for (const table of [english, german]) {
    const find = findSentences(table, words);
    for (const [sentence, written] of Object.entries(table)) {
      const sample = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name) => `<${name}>`);
      assert.equal(find(sample(sentence)), sample(written), sentence);
    }
  }
  assert.equal(findSentences(german, words)('A sentence of a later release.'), null);
});

test('sentences name fields, values and records as pages do', async () => {
  const [inEnglish, inGerman] = [await loadNames('en'), await loadNames('de')];
  const cases: readonly (readonly [sentence: string, english: string, german: string])[] = [
    [
      'Another record already has this slug.',
      'Another record already has this value: Slug.',
      'Ein anderer Eintrag hat bereits diesen Wert: Slug.',
    ],
    [
      'Another record already has this year, volume and number.',
      'Another record already has this value: Year, Volume, and Number.',
      'Ein anderer Eintrag hat bereits diesen Wert: Jahr, Jahrgang und Nummer.',
    ],
    [
      'The status cannot move from DRAFT to ARCHIVED, only to IN_REVIEW, PUBLISHED.',
      '“Draft” can only be changed to In review and Published.',
      'Aus „Entwurf“ ist nur ein Wechsel möglich zu: In Prüfung und Veröffentlicht.',
    ],
    [
      'The role VIEWER may not create articles.',
      'The role VIEWER may not create articles.',
      'Die Rolle „Leser“ erlaubt das nicht: Artikel, Anlegen.',
    ],
    [
      'Still used by 3 knowledge files, 1 company.',
      'Still used by 3 knowledge files, 1 company.',
      'Wird noch verwendet: Dateien (3) und Firmen (1).',
    ],
    [
      'The working version of art_01h455vb4pex5vsknk084sn02q is SCHEDULED, not APPROVED.',
      'This article is not approved: Scheduled.',
      'Dieser Artikel ist nicht freigegeben: Geplant.',
    ],
    [
      'The record sit_01h455vb4pex5vsknk084sn02q is in the trash. Restore it first.',
      'What it refers to is in the trash. Restore that first.',
      'Worauf er sich bezieht, ist im Papierkorb. Stellen Sie das zuerst wieder her.',
    ],
    ['Must have at most 255 characters.', 'Must have at most 255 characters.', 'Höchstens 255 Zeichen.'],
  ];
  for (const [sentence, english, german] of cases) {
    assert.equal(inEnglish.sentence(sentence), english);
    assert.equal(inGerman.sentence(sentence), german);
  }
  const unknown = { code: 'quota_reached', message: 'A sentence of a later release.' };
  assert.equal(inEnglish.problem(unknown), unknown.message);
  assert.equal(inGerman.problem(unknown), 'Die Höchstzahl ist erreicht.');
});
