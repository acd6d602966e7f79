/**
 * The part `search` of the benchmark: search at the size of a large customer, over HTTP and under row-level security,
 * with a second organization of the same size in the same tables. It prints times at one and eight concurrent calls,
 * and which statements read a whole table. docs/performance.md explains the figures.
 */
import type { ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { makeRolePasswords, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import pg from 'pg';
import { median } from './median.ts';
import { readNumber } from './numbers.ts';
import { measure, type Server, startProcess, startServer, stopProcesses } from './processes.ts';
import { pathOf, type Question, questions } from './search-cases.ts';
import { checkLoaded } from './search-check.ts';
import { addressOf, fillForSearch, organizations, type Role, roles } from './search-data.ts';
import { openPlanner, wholeTables } from './search-plans.ts';
import { makeTokens } from './tokens.ts';

const help = `Measures search and filtered lists of contacts, books and knowledge files.

  npm run bench -- search                everything; filling alone takes five to fifteen minutes
  npm run bench -- search --quick        2,000 records of each, one turn: whether it runs, not how fast
  npm run bench -- search --only TEXT    only questions whose name begins so, such as "contacts" or "books: filter"

  --records N       records of each resource, in each of two organizations (100000; at least 2000)
  --seconds N       length of a turn (1)
  --turns N         turns for each question and number of calls at once (3)
  --plans           print the plans of all statements
  --folder FOLDER   keep the database there, and use what is there already
  --help            this text

Questions: ${questions.map(({ name }) => name).join('; ')}.
`;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    records: { type: 'string' },
    seconds: { type: 'string' },
    turns: { type: 'string' },
    plans: { type: 'boolean', default: false },
    folder: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(help);
  process.exit();
}

const records = readNumber(options, 'records', 2_000, options.quick ? 2_000 : 100_000);
const seconds = readNumber(options, 'seconds', 1, 1);
const turns = readNumber(options, 'turns', 1, options.quick ? 1 : 3);
/** No question should take longer, in ms, for nineteen of twenty calls. */
const aim = 25;
const callsAtOnce = [1, 8] as const;
const chosen = questions.filter(({ name }) => name.startsWith(options.only));
if (chosen.length === 0) {
  process.stderr.write(`No question begins with "${options.only}"; see --help.\n`);
  process.exit(2);
}
const print = (text: string) => process.stdout.write(text);

const dataDirectory = options.folder ?? (await mkdtemp(join(tmpdir(), 'trellis-bench-')));
// Under root PostgreSQL runs as another user, who must be able to get in: or else its files would be kept elsewhere.
if (options.folder === undefined) await chmod(dataDirectory, 0o755);
const cluster = await startEmbedded({
  dataDirectory: resolve(dataDirectory),
  log: () => undefined,
  // Without autovacuum statistics are what the run says they are.
  settings: { shared_buffers: '2GB', max_connections: '60', autovacuum: 'off', max_wal_size: '8GB' },
});
async function stopAll(): Promise<void> {
  await stopProcesses();
  await cluster.stop(options.folder === undefined ? 'immediate' : 'fast');
  if (options.folder === undefined) await rm(dataDirectory, { recursive: true, force: true });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopAll().finally(() => process.exit(1)));
}

/** Fills the database unless it is. @returns the ids of the measured organization and of its members */
async function prepareData(admin: pg.Client): Promise<{ organizationId: string; users: Map<Role, string> }> {
  const find = async () => {
    const { rows } = await admin.query<{ organization: string; user: string; role: Role }>(
      `SELECT m.organization_id AS organization, m.user_id AS user, m.role FROM trellis.memberships m
       JOIN trellis.organizations o ON o.id = m.organization_id WHERE o.key = $1`,
      [organizations.measured],
    );
    return rows;
  };
  if ((await find()).length === 0) {
    print(`Filling ${records} contacts, books and knowledge files, twice … `);
    const began = performance.now();
    await fillForSearch(admin, records);
    print(`${((performance.now() - began) / 1_000).toFixed(0)} s\n`);
  }
  const { rows: sizes } = await admin.query<{ size: string }>(
    'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
  );
  const members = await find();
  print(`The database has ${sizes[0]?.size}.\n`);
  return {
    organizationId: members[0]?.organization ?? '',
    users: new Map(members.map(({ role, user }) => [role, user])),
  };
}

/** Prints what reads a table as a whole, and all plans if wanted. @returns the names of such questions */
async function explain(label: string, data: Awaited<ReturnType<typeof prepareData>>): Promise<string[]> {
  const planner = await openPlanner(cluster.adminUrl('trellis'));
  const faulty: string[] = [];
  let statements = 0;
  try {
    for (const question of chosen) {
      const scope = { organizationId: data.organizationId, userId: data.users.get(question.role) ?? null };
      for (const plan of await planner.plansOf(question, scope)) {
        statements += 1;
        if (options.plans) print(`\n## ${label}: ${question.name}: ${plan.milliseconds} ms\n${plan.text}\n`);
        const tables = wholeTables(plan);
        if (tables.length > 0) faulty.push(`${question.name} (${tables.join(', ')})`);
      }
    }
  } finally {
    await planner.close();
  }
  print(`${label}: of ${statements} statements, ${faulty.length} read a large table as a whole`);
  print(faulty.length === 0 ? '.\n' : `: ${faulty.join('; ')}.\n`);
  return faulty;
}

/** Checks the response once: a question that finds nothing by mistake would be a fast one. */
async function checkResponse(server: Pick<Server, 'url' | 'headers'>, question: Question): Promise<void> {
  const path = pathOf(question, question.texts[0] ?? null);
  const response = await fetch(`${server.url}${path}`, { headers: server.headers });
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
  const { items } = (await response.json()) as { items: unknown[] };
  if (question.finds !== null && items.length > 0 !== question.finds)
    throw new Error(`${question.name}: ${path} found ${items.length} records as ${question.role}`);
}

async function ask(loader: ChildProcess, server: Server, question: Question): Promise<string[]> {
  await checkResponse(server, question);
  const requests = question.texts.map((text) => ({ method: 'GET' as const, path: pathOf(question, text) }));
  // The first second fills caches, prepares statements and lets V8 compile.
  await measure(loader, server, { seconds: 1, connections: Math.max(...callsAtOnce), requests });
  const cells: string[] = [];
  let worst = 0;
  for (const connections of callsAtOnce) {
    const results = [];
    for (let turn = 0; turn < turns; turn += 1)
      results.push(await measure(loader, server, { seconds, connections, requests }));
    const p95 = median(results.map((result) => result.p95));
    worst = Math.max(worst, p95);
    cells.push(median(results.map(({ p50 }) => p50)).toFixed(1), p95.toFixed(1));
  }
  const cpu = await measure(loader, server, { seconds, connections: 1, requests });
  cells.push(cpu.cpuMs.toFixed(1));
  print(`| ${question.name.padEnd(36)} | ${cells.map((cell) => cell.padStart(6)).join(' | ')} |\n`);
  return worst > aim ? [`${question.name} (${worst.toFixed(0)} ms)`] : [];
}

try {
  const urls = await setUpDatabase(cluster.adminUrl(), 'trellis', makeRolePasswords());
  await migrate(urls.owner, () => undefined);
  const admin = new pg.Client({ connectionString: cluster.adminUrl('trellis') });
  admin.on('error', () => undefined); // the server is stopped under it at the end
  await admin.connect();
  const data = await prepareData(admin);
  const { rows: analyzed } = await admin.query(
    `SELECT FROM pg_statistic WHERE starelid = 'trellis.search_records'::regclass LIMIT 1`,
  );
  const fresh = analyzed.length === 0;
  const faulty = fresh ? await explain('Before ANALYZE', data) : [];
  await admin.query('VACUUM ANALYZE');
  faulty.push(...(await explain('After ANALYZE', data)));
  const made = await makeTokens(urls.worker, organizations.measured, roles.map(addressOf));
  const tokens = new Map(roles.map((role, index) => [role, made[index]]));
  const environment = { BENCH_CONNECTIONS: '16', BENCH_DATABASE_URL: urls.api };
  const server = await startServer('./our-server.ts', environment, {
    name: 'ours',
    headers: {},
    site: '',
    articles: [],
    drafts: [],
  });
  if (fresh) {
    const [owner] = await makeTokens(urls.worker, organizations.checked, [addressOf('OWNER')]);
    await checkLoaded(admin, { ...server, headers: { authorization: `Bearer ${owner}` } });
  }
  const loader = startProcess('./load.ts');
  const load = loadavg()[0]?.toFixed(1);
  print(`${cpus().length} cores (${cpus()[0]?.model.trim()}), load ${load}, Node.js ${process.version}, `);
  print(`PostgreSQL ${cluster.version}, ${turns} turns of ${seconds} s; ms at 1 and at 8 calls at once\n\n`);
  print(`| ${'question'.padEnd(36)} |  1 p50 |  1 p95 |  8 p50 |  8 p95 |    CPU |\n`);
  print(`| ${'-'.repeat(36)} | ------ | ------ | ------ | ------ | ------ |\n`);
  const missed: string[] = [];
  for (const question of chosen) {
    const authorization = `Bearer ${tokens.get(question.role)}`;
    missed.push(...(await ask(loader, { ...server, headers: { authorization } }, question)));
  }
  print(missed.length === 0 ? '\nAll' : `\nOver ${aim} ms: ${missed.join('; ')}.\nNot all`);
  print(` searches end within ${aim} ms (p95); load is now ${loadavg()[0]?.toFixed(1)}.\n`);
  if (faulty.length > 0) process.exitCode = 1;
} finally {
  await stopAll();
}
