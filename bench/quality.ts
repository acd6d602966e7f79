/**
 * What readers find: judged questions over public texts, by the search of articles, and by PostgreSQL's own text search on the same texts as
 * a good engineer would use it (`websearch_to_tsquery`, titles weighted, `ts_rank`).
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startTestServer, type TestServer } from '../test/support/server.ts';
import { english, german, type Judged } from './quality-questions.ts';

const help = `Judges search by questions over public texts, beside PostgreSQL's own text search.

  npm run bench -- quality --english FOLDER --german FOLDER

  --english FOLDER  the folder "posts" of github.com/rust-lang/blog.rust-lang.org
  --german FOLDER   the folder "src" of github.com/rust-lang-de/rustbook-de
  --each            print the place of the first expected text for each question
  --help            this text
`;
const { values } = parseArgs({
  options: {
    english: { type: 'string' },
    german: { type: 'string' },
    each: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

interface Text {
  readonly name: string;
  readonly title: string;
  readonly body: string;
}

/** Results that a reader looks at. */
const looked = 10;

if (values.help || (values.english === undefined && values.german === undefined)) process.stdout.write(help);
else await judge();

async function judge(): Promise<void> {
  const server = await startTestServer();
  const admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  try {
    const collections = [
      { name: 'English', folder: values.english, questions: english, locale: 'en', configuration: 'english' },
      { name: 'German', folder: values.german, questions: german, locale: 'de', configuration: 'german' },
    ];
    for (const { folder, ...collection } of collections)
      if (folder !== undefined)
        await judgeCollection(server, admin, await readTexts(resolve(folder)), collection);
  } finally {
    await admin.end();
    await server.close();
  }
}

async function readTexts(folder: string): Promise<Text[]> {
  const entries = await readdir(folder, { recursive: true });
  const names = entries.filter((name) => name.endsWith('.md')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      const title = /^title = ["'](.*)["']$/m.exec(text)?.[1] ?? /^#{1,6} (.*)$/m.exec(text)?.[1] ?? name;
      const body = text.replace(/^\+\+\+\n.*?\n\+\+\+\n/s, '');
      return { name: name.replace(/^.*\//, '').replace(/\.md$/, ''), title, body };
    }),
  );
}

interface Collection {
  readonly name: string;
  readonly questions: readonly Judged[];
  readonly locale: string;
  readonly configuration: string;
}

async function judgeCollection(
  server: TestServer,
  admin: pg.Client,
  texts: readonly Text[],
  { name, questions, locale, configuration }: Collection,
): Promise<void> {
  const site = await server.call('POST', '/v1/sites', { body: { name, key: locale } });
  const articles = `/v1/sites/${site.json.id}/articles`;
  const names = new Map<string, string>();
  for (const { name: file, title, body } of texts) {
    const made = await server.call('POST', articles, { body: { versionData: { title, body, locale } } });
    if (made.status !== 201) throw new Error(`${file}: ${made.text}`);
    names.set(made.json.id, file);
  }
  await admin.query(`CREATE TABLE public.${configuration}_texts (name text, words tsvector)`);
  for (const { name: file, title, body } of texts)
    await admin.query(
      `INSERT INTO public.${configuration}_texts VALUES ($1,
         setweight(to_tsvector('${configuration}', $2), 'A') || to_tsvector('${configuration}', $3))`,
      [file, title, body],
    );
  const ways = {
    Trellis: async (query: string) => {
      const found = await server.call(
        'GET',
        `${articles}/search?query=${encodeURIComponent(query)}&limit=${looked}`,
      );
      return found.json.items.map(({ id }: { id: string }) => names.get(id) ?? '');
    },
    PostgreSQL: async (query: string) => {
      const { rows } = await admin.query<{ name: string }>(
        `SELECT name FROM public.${configuration}_texts, websearch_to_tsquery('${configuration}', $1) AS wanted
         WHERE words @@ wanted ORDER BY ts_rank(words, wanted) DESC, name LIMIT ${looked}`,
        [query],
      );
      return rows.map((row) => row.name);
    },
  };
  for (const [way, search] of Object.entries(ways)) {
    const places = [];
    let recall = 0;
    for (const { query, expected } of questions) {
      const found = await search(query);
      recall += expected.filter((file) => found.includes(file)).length / expected.length / questions.length;
      const first = found.findIndex((file: string) => expected.includes(file)) + 1;
      places.push(first);
      if (values.each) process.stdout.write(`  ${way} ${query}: ${first === 0 ? '-' : first}\n`);
    }
    const reciprocal =
      places.reduce((sum, place) => sum + (place === 0 ? 0 : 1 / place), 0) / questions.length;
    const firsts = places.filter((place) => place === 1).length;
    process.stdout.write(
      `${name}, ${texts.length} texts, ${questions.length} questions, ${way}: recall among ${looked} ${recall.toFixed(2)}, ` +
        `mean reciprocal rank ${reciprocal.toFixed(2)}, first result expected ${firsts}\n`,
    );
  }
}
