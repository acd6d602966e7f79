/**
 * Why: speed is claimed only beside a baseline in the same run. Each case is sent to a bare server and to ours in turns,
 * so that the noise of a shared machine meets both; what is printed are medians over the turns, and of their ratios.
 * What the figures of a real run mean stands in docs/performance.md.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { createToken } from '@trellis/server/administration/tokens.ts';
import { Database } from '@trellis/server/database/database.ts';
import { migrate } from '@trellis/server/database/migrate.ts';
import { makeRolePasswords, setUpDatabase } from '@trellis/server/database/setup.ts';
import pg from 'pg';
import { type Case, cases } from './cases.ts';
import { checkSameAnswer, median, type Pair, speedRatio, tableHead, tableRow } from './comparison.ts';
import { fillDatabase } from './data.ts';
import { measure, nextMessage, type Server, startProcess, startServer, stopProcesses } from './processes.ts';

const help = `Compares our server with a bare Fastify and node-postgres server on the same tables, side by side.

  npm run bench -- articles               everything; some eight minutes
  npm run bench -- articles --quick       3,000 articles, one turn of 1 s: whether it runs, not how fast
  npm run bench -- articles --only TEXT   only cases whose name begins so, such as "list" or "patch"

  --articles N      articles in the measured organization (100000; at least 3000)
  --seconds N       length of a turn (3)
  --turns N         turns of each server per case (4)
  --connections N   connections that call at the same time, and of each server to the database (16)
  --profile FOLDER  write a V8 CPU profile of our server there when it ends
  --help            this text

Cases: ${cases.map(({ name }) => name).join('; ')}.
`;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    articles: { type: 'string' },
    seconds: { type: 'string' },
    turns: { type: 'string' },
    connections: { type: 'string', default: '16' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(help);
  process.exit();
}

/** A whole number from an option. */
function readNumber(
  name: 'articles' | 'seconds' | 'turns' | 'connections',
  least: number,
  initial: number,
): number {
  const number = Number(options[name] ?? initial);
  if (Number.isInteger(number) && number >= least) return number;
  process.stderr.write(`--${name} must be a whole number of at least ${least}, not "${options[name]}".\n`);
  process.exit(2);
}

const { quick } = options;
const articles = readNumber('articles', 3_000, quick ? 3_000 : 100_000);
const seconds = readNumber('seconds', 1, quick ? 1 : 3);
const turns = readNumber('turns', 1, quick ? 1 : 4);
const connections = readNumber('connections', 1, 16);
/** Page 2,000 by default; with fewer articles, the last but one of 25. */
const farPage = Math.min(2_000, Math.floor(articles / 25) - 1);
const chosen = cases.filter(({ name }) => name.startsWith(options.only));
if (chosen.length === 0) {
  process.stderr.write(
    `No case begins with "${options.only}"; there are: ${cases.map(({ name }) => name).join('; ')}.\n`,
  );
  process.exit(2);
}
const print = (text: string) => process.stdout.write(text);

/** The servers of a run: two bare ones, which differ in how they search lists. */
interface Servers {
  readonly bare: Server;
  readonly 'bare-ways': Server;
  readonly ours: Server;
}

/** Waits until the queries that a turn left behind have ended: they would be a burden on the next. */
async function waitForQuiet(admin: pg.Client): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const { rowCount } = await admin.query(
      `SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND state = 'active' AND pid <> pg_backend_pid()`,
    );
    if (rowCount === 0) return;
    if (Date.now() > deadline)
      throw new Error(`${rowCount} queries still run two minutes after their callers left`);
    await sleep(50);
  }
}

/** What the cases are measured with. */
interface Run {
  readonly loader: ChildProcess;
  /** Looks at what the database does. */
  readonly admin: pg.Client;
  readonly servers: Servers;
}

async function compare(run: Run, kind: Case): Promise<Pair[]> {
  const { loader, admin, servers } = run;
  const { ours, [kind.baseline]: bare } = servers;
  await checkSameAnswer(kind.name, bare, ours, kind.requests);
  const turn = async (server: Server, duration: number) => {
    const result = await measure(loader, server, {
      seconds: duration,
      connections,
      requests: kind.requests(server),
    });
    await waitForQuiet(admin);
    return result;
  };
  // The first second prepares statements, warms caches and lets V8 compile.
  for (const server of [bare, ours]) await turn(server, 1);
  const pairs: Pair[] = [];
  for (let number = 0; number < turns; number += 1) {
    // Whoever comes second finds a warmer database: they take turns at that too.
    if (number % 2 === 0) {
      const first = await turn(bare, seconds);
      pairs.push({ bare: first, ours: await turn(ours, seconds) });
    } else {
      const first = await turn(ours, seconds);
      pairs.push({ bare: await turn(bare, seconds), ours: first });
    }
  }
  return pairs;
}

/** Walks to a page by cursors, then asks for it and for the first one by turns; prints what the far one costs. */
async function comparePages(loader: ChildProcess, ours: Server): Promise<number> {
  // Narrow records: nothing but finding them should count.
  const first = `/v1/sites/${ours.site}/articles?limit=25&fields=state`;
  let far = first;
  for (let page = 1; page < farPage; page += 1) {
    const response = await fetch(`${ours.url}${far}`, { headers: ours.headers });
    if (!response.ok) throw new Error(`page ${page} answered ${response.status}: ${await response.text()}`);
    const { pageInfo } = (await response.json()) as { pageInfo: { nextCursor: string | null } };
    if (pageInfo.nextCursor === null) throw new Error(`the list ends at page ${page}`);
    far = `${first}&cursor=${pageInfo.nextCursor}`;
  }
  const turn = (path: string, duration: number) =>
    measure(loader, ours, { seconds: duration, connections, requests: [{ method: 'GET', path }] });
  for (const path of [first, far]) await turn(path, 1);
  const times: { first: number; far: number }[] = [];
  for (let number = 0; number < turns; number += 1) {
    times.push({ first: (await turn(first, seconds)).p50, far: (await turn(far, seconds)).p50 });
  }
  const ratio = median(times.map((time) => time.far / time.first));
  const of = (key: 'first' | 'far') => median(times.map((time) => time[key])).toFixed(2);
  print(
    `\nPage 1: ${of('first')} ms, page ${farPage}: ${of('far')} ms (p50); ratio ${ratio.toFixed(2)}, aim 1.5 at most.\n`,
  );
  return ratio;
}

/** A token of the organization's owner with every scope. */
async function makeToken(workerUrl: string): Promise<string> {
  const worker = new Database({
    url: workerUrl,
    poolSize: 1,
    prepare: true,
    acquireTimeoutMs: 1_000,
    applicationName: 'trellis bench',
    log: () => undefined,
  });
  try {
    const { token } = await createToken(worker, {
      organization: 'bench',
      email: 'bench@example.com',
      scopes: allScopes,
      audiences: ['api'],
      expiresInSeconds: 86_400,
      client: 'Bench',
    });
    return token;
  } finally {
    await worker.close();
  }
}

/** Starts everything on a filled database. */
async function startEverything(): Promise<Run> {
  const urls = await setUpDatabase(cluster.adminUrl(), 'trellis', makeRolePasswords());
  await migrate(urls.owner, () => undefined);
  const admin = new pg.Client({ connectionString: cluster.adminUrl('trellis') });
  admin.on('error', () => undefined); // the server is stopped under it at the end
  await admin.connect();
  print(`Filling ${articles} articles … `);
  const began = performance.now();
  const data = await fillDatabase(admin, articles);
  const { rows } = await admin.query<{ size: string }>(
    `SELECT pg_size_pretty(pg_database_size('trellis')) AS size`,
  );
  print(`${((performance.now() - began) / 1_000).toFixed(0)} s, ${rows[0]?.size}\n`);

  const common = { BENCH_CONNECTIONS: String(connections) };
  const ourEnvironment = { ...common, BENCH_DATABASE_URL: urls.api };
  const bareEnvironment = {
    ...common,
    BENCH_DATABASE_URL: cluster.adminUrl('trellis'),
    BENCH_ORGANIZATION: data.organizationId,
    BENCH_USER: data.userId,
  };
  const plain = { headers: {}, site: data.siteId, articles: data.articleIds, drafts: data.draftIds };
  // Started once before: afterwards the stripped sources come from the compile cache, as after any first start.
  const first = startProcess('./our-server.ts', ourEnvironment);
  await nextMessage(first);
  first.disconnect();
  await once(first, 'exit');
  const profiling =
    options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`];
  const servers: Servers = {
    bare: await startServer('./bare-server.ts', bareEnvironment, { ...plain, name: 'bare' }),
    'bare-ways': await startServer(
      './bare-server.ts',
      { ...bareEnvironment, BENCH_SEARCH: 'ours' },
      { ...plain, name: 'bare with our SQL' },
    ),
    ours: await startServer(
      './our-server.ts',
      ourEnvironment,
      {
        name: 'ours',
        headers: { authorization: `Bearer ${await makeToken(urls.worker)}` },
        site: encodeId('site', data.siteId),
        articles: data.articleIds.map((id) => encodeId('art', id)),
        drafts: data.draftIds.map((id) => encodeId('art', id)),
      },
      profiling,
    ),
  };
  return { loader: startProcess('./load.ts'), admin, servers };
}

const dataDirectory = await mkdtemp(join(tmpdir(), 'trellis-bench-'));
// Under root PostgreSQL runs as another user, who must be able to get in: or else its files would be kept elsewhere.
await chmod(dataDirectory, 0o755);
const cluster = await startEmbedded({
  dataDirectory,
  log: () => undefined,
  settings: { shared_buffers: '1GB', max_connections: '100' },
});

async function stopAll(): Promise<void> {
  await stopProcesses();
  await cluster.stop('immediate');
  await rm(dataDirectory, { recursive: true, force: true });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopAll().finally(() => process.exit(1)));
}

try {
  const run = await startEverything();
  const { loader, servers } = run;
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()})`;
  print(`${machine}, Node.js ${process.version}, PostgreSQL ${cluster.version}, `);
  print(`${connections} connections, ${turns} turns of ${seconds} s\n\n${tableHead()}`);
  const missed: string[] = [];
  for (const kind of chosen) {
    const pairs = await compare(run, kind);
    print(tableRow(kind.name, kind.aim, pairs));
    const ratio = speedRatio(pairs);
    if (ratio < kind.aim) missed.push(`${kind.name} (${ratio.toFixed(2)}, aim ${kind.aim})`);
  }
  const pageRatio = await comparePages(loader, servers.ours);
  if (pageRatio > 1.5) missed.push(`page ${farPage} (${pageRatio.toFixed(2)}, aim 1.5)`);
  const [bare, ours] = [await servers.bare.usage(), await servers.ours.usage()];
  const megabytes = `bare ${bare.rssMegabytes.toFixed(0)} MB, ours ${ours.rssMegabytes.toFixed(0)} MB`;
  print(`Memory after the run: ${megabytes}, aim 150 MB at most.\n`);
  if (ours.rssMegabytes > 150) missed.push('memory');
  print(missed.length === 0 ? 'All aims are met.\n' : `Aims missed: ${missed.join('; ')}.\n`);
} finally {
  await stopAll();
}
