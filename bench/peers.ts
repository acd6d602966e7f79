/**
 * The part `peers` of the benchmark: the product as it is served, with all its roles in one process, beside a server that a
 * good engineer would write by hand for this one task, on the same articles and the same PostgreSQL. Both are asked in turns,
 * so that the noise of the machine meets both; printed are medians, and of the ratios within each pair of turns. What a real
 * run means stands in docs/performance.md.
 */
import type { ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { makeRolePasswords, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import pg from 'pg';
import { startServing } from '../test/support/program.ts';
import { type BenchData, fillDatabase, measured, readData } from './data.ts';
import type { LoadRequest, LoadResult } from './load.ts';
import { type Memory, readMemory } from './memory.ts';
import { nodeSettings } from './node-settings.ts';
import { readNumber } from './numbers.ts';
import { type Case, type Cursors, cases, type Dialect, dialectsOf } from './peers/cases.ts';
import {
  askPatiently,
  checkSameResponse,
  type Pair,
  ratioOf,
  type Turn,
  tableHead,
  tableRow,
} from './peers/report.ts';
import { type BareTable, fillBareTables, hasBareTables } from './peers/schema.ts';
import { nextMessage, startProcess, stopProcesses } from './processes.ts';
import { processorTimeOf, processorTimeOfTree, residentMegabytes } from './processor-time.ts';
import { makeTokens } from './tokens.ts';

const help = `Compares the product with a bare, hand-written server on the same articles, side by side.

  npm run bench -- peers                      everything; filling takes some minutes, measuring some five
  npm run bench -- peers --records 20000 --seconds 3 --only get,list
                                              a small one, of the cases whose names begin so

  --records N        articles (100000; at least 3000)
  --seconds N        length of a turn (3)
  --turns N          turns of each server for a case (3)
  --only NAMES       cases whose name begins with one of these, separated by commas
  --folder FOLDER    keep the database there, and use what is there already
  --fill             only fill the database, for a later run
  --statements       print what PostgreSQL spent on each of our statements
  --profile FOLDER   write a V8 CPU profile of our server there when it ends
  --memory           print what the memory of our server consists of, before and after garbage is collected
  --help             this text

Cases: ${cases.map(({ name }) => name).join('; ')}; sustained; rows.
`;

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '3' },
    turns: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    folder: { type: 'string' },
    fill: { type: 'boolean', default: false },
    statements: { type: 'boolean', default: false },
    profile: { type: 'string' },
    memory: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(help);
  process.exit();
}

const records = readNumber(options, 'records', 3_000);
const seconds = readNumber(options, 'seconds', 1);
const turns = readNumber(options, 'turns', 1);
const wanted = options.only.split(',');
const isWanted = (name: string) => wanted.some((beginning) => name.startsWith(beginning));
/** Connections of each server to the database. */
const poolSize = 16;
/** Least rate of creates until all of them are indexed, as a part of the rate of the bare server with an index of all texts. */
const sustainedAim = 0.6;
/** Of our server, with `--memory`. */
const inspectorPort = 19_229;
const print = (text: string) => process.stdout.write(text);

const dataDirectory = options.folder ?? (await mkdtemp(join(tmpdir(), 'trellis-bench-')));
// Under root PostgreSQL runs as another user, who must be able to get in: or else its files would be kept elsewhere.
if (options.folder === undefined) await chmod(dataDirectory, 0o755);
const cluster = await startEmbedded({
  dataDirectory: resolve(dataDirectory),
  log: () => undefined,
  settings: {
    shared_buffers: '1GB',
    max_connections: '100',
    max_wal_size: '8GB',
    ...(options.statements
      ? { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'all' }
      : {}),
  },
});

interface Server {
  readonly dialect: Dialect;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  /** Whether nobody inserts the search keys of its rows while it writes, as our indexer does: then that is part of its turn. */
  readonly leavesKeys?: boolean;
}

/** What everything is measured with. */
interface Run {
  readonly loader: ChildProcess;
  readonly admin: pg.Client;
  readonly data: BenchData;
  readonly cursors: Cursors;
  readonly bare: Server;
  /** The same, with an index of all texts. */
  readonly searched: Server;
  readonly ours: Server;
}

/** Sends a load to a server and says what it cost. @throws Error when no call gets 2xx */
async function measureTurn(
  run: Run,
  server: Server,
  kind: Pick<Case, 'name' | 'connections' | 'headers'>,
  requests: readonly LoadRequest[],
  duration: number,
): Promise<Omit<Turn, 'walBytes' | 'diskBytes'>> {
  const before = [processorTimeOf(server.pid), processorTimeOfTree(cluster.pid)] as const;
  run.loader.send({
    url: server.url,
    headers: { ...server.headers, ...kind.headers },
    seconds: duration,
    connections: kind.connections,
    requests,
  });
  const result = (await nextMessage(run.loader)) as LoadResult;
  const after = [processorTimeOf(server.pid), processorTimeOfTree(cluster.pid)] as const;
  // A server that a busy machine keeps from its work refuses some: that is printed. One that refuses all measures nothing.
  if (result.requests === 0)
    throw new Error(`${kind.name}: ${server.dialect.name} responded to none of ${result.failures} calls`);
  const count = Math.max(1, result.requests);
  return {
    ...result,
    nodeCpuMs: (after[0] - before[0]) / count,
    databaseCpuMs: (after[1] - before[1]) / count,
  };
}

/** Turns of the bare server and of another one. */
async function compare(run: Run, kind: Case, ours: Server): Promise<Pair[]> {
  const bareServer = kind.isSearched === true ? run.searched : run.bare;
  const requestsOf = ({ dialect }: Server) => kind.requests(dialect, run.data, run.cursors);
  await checkSameResponse(kind, bareServer, ours, requestsOf(bareServer)[0], requestsOf(ours)[0]);
  const turn = async (server: Server, duration: number) => {
    const writtenBefore = await readWritten(run.admin);
    const cost = await measureTurn(run, server, kind, requestsOf(server), duration);
    const [began, before] = [performance.now(), processorTimeOfTree(cluster.pid)];
    await waitUntilIndexed(run.admin);
    const written = await readWritten(run.admin);
    const taken = {
      ...cost,
      walBytes: (written.wal - writtenBefore.wal) / cost.requests,
      diskBytes: (written.disk - writtenBefore.disk) / cost.requests,
    };
    if (server.leavesKeys !== true) return taken;
    const indexedMs = performance.now() - began;
    const elapsedMs = (taken.requests / taken.requestsPerSecond) * 1_000 + indexedMs;
    return {
      ...taken,
      requestsPerSecond: (taken.requests / elapsedMs) * 1_000,
      databaseCpuMs: taken.databaseCpuMs + (processorTimeOfTree(cluster.pid) - before) / taken.requests,
    };
  };
  // The first seconds prepare statements, warm caches and let V8 compile.
  for (const server of [bareServer, ours]) await turn(server, 3);
  const pairs: Pair[] = [];
  for (let number = 0; number < turns; number += 1) {
    // Whoever comes second finds a warmer database: they alternate in that too.
    if (number % 2 === 0) {
      const bare = await turn(bareServer, seconds);
      pairs.push({ bare, ours: await turn(ours, seconds) });
    } else {
      const other = await turn(ours, seconds);
      pairs.push({ bare: await turn(bareServer, seconds), ours: other });
    }
  }
  return pairs;
}

/** How far the write-ahead log has come, and the size of the database, in bytes. */
async function readWritten(admin: pg.Client): Promise<{ wal: number; disk: number }> {
  const { rows } = await admin.query<{ wal: string; disk: string }>(
    `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal, pg_database_size(current_database()) AS disk`,
  );
  return { wal: Number(rows[0]?.wal), disk: Number(rows[0]?.disk) };
}

/** The bare server, as it writes the rows of ours by one statement. */
function rowsServerOf(bare: Server): Server {
  const collection = bare.dialect.collection.replace('/articles', '/rows/articles');
  return { ...bare, dialect: { ...bare.dialect, collection }, leavesKeys: true };
}

/** Waits until no event waits for the relay and no key for the search indexes: they would be a burden on the next turn. */
async function waitUntilIndexed(admin: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await admin.query<{ busy: boolean }>(
      'SELECT EXISTS (SELECT FROM trellis.search_marks) OR EXISTS (SELECT FROM trellis.outbox) AS busy',
    );
    if (rows[0]?.busy !== true) break;
    await sleep(20);
  }
  await admin.query('SELECT trellis.insert_pending_keys()');
}

/** Creates for as long as a few turns, and until the last of them is indexed. Prints the rates; returns their ratio. */
async function compareSustained(run: Run): Promise<number> {
  const kind = cases.find(({ name }) => name === 'create');
  if (kind === undefined) throw new Error('there is no case of creates');
  const requestsOf = ({ dialect }: Server) => kind.requests(dialect, run.data, run.cursors);
  const duration = Math.max(5, seconds * turns);
  const measure = async (server: Server) => {
    const began = performance.now();
    const before = processorTimeOfTree(cluster.pid) + processorTimeOf(server.pid);
    const { requests } = await measureTurn(run, server, kind, requestsOf(server), duration);
    const behindFrom = performance.now();
    await waitUntilIndexed(run.admin);
    const ended = performance.now();
    const cpuMs = processorTimeOfTree(cluster.pid) + processorTimeOf(server.pid) - before;
    const rate = (requests * 1_000) / (ended - began);
    return { rate, behindMs: ended - behindFrom, cpuMs: cpuMs / requests };
  };
  const bare = await measure(run.bare);
  const searched = await measure(run.searched);
  const ours = await measure(run.ours);
  const ratio = ours.rate / searched.rate;
  const cost = ({ rate, cpuMs }: typeof ours) =>
    `${rate.toFixed(0)}/s with ${cpuMs.toFixed(2)} ms of processor time each, node and PostgreSQL together`;
  print(
    `\nSustained creates for ${duration} s: bare ${cost(bare)}; bare with an index of all texts ${cost(searched)}; ours ${cost(ours)}, ` +
      `indexed ${(ours.behindMs / 1_000).toFixed(1)} s after the last one; ratio ${ratio.toFixed(2)} to the one with an index, ` +
      `aim ${sustainedAim}, and ${(ours.rate / bare.rate).toFixed(2)} to the one without.\n`,
  );
  return ratio;
}

/** Walks both lists to the page after nine tenths of the articles. */
async function findCursors(servers: readonly Server[]): Promise<Cursors> {
  const cursors = { bare: '', ours: '' };
  const pages = Math.floor((records * 0.9) / 100);
  for (const { dialect, url, headers } of servers) {
    const first = `${url}${dialect.collection}?limit=100${dialect.name === 'ours' ? '&fields=state' : ''}`;
    let cursor: string | null = '';
    for (let page = 0; page < pages && cursor !== null; page += 1) {
      const place: string = cursor === '' ? '' : `&${dialect.cursor}=${cursor}`;
      const response = await askPatiently(`${first}${place}`, headers);
      const page = (await response.json()) as { pageInfo: { nextCursor: string | null } };
      cursor = page.pageInfo.nextCursor;
    }
    if (cursor === null) throw new Error(`the list of ${dialect.name} ends before its page ${pages}`);
    cursors[dialect.name] = cursor;
  }
  // A list is bound to its query: the position is the same for the list that is measured.
  return cursors;
}

async function prepareData(admin: pg.Client): Promise<BenchData> {
  const known = await readData(admin);
  if (known !== null && (await hasBareTables(admin))) return known;
  print(`Filling ${records} articles … `);
  const began = performance.now();
  if (known === null) await fillDatabase(admin, records);
  const data = known ?? (await readData(admin));
  if (data === null) throw new Error('nothing was filled');
  await fillBareTables(admin, data.siteId);
  await admin.query('VACUUM ANALYZE');
  const { rows } = await admin.query<{ size: string }>(
    'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
  );
  print(`${((performance.now() - began) / 1_000).toFixed(0)} s, ${rows[0]?.size}\n`);
  return data;
}

const opened = new AsyncDisposableStack();
opened.defer(async () => {
  await cluster.stop(options.folder === undefined ? 'immediate' : 'fast');
  if (options.folder === undefined) await rm(dataDirectory, { recursive: true, force: true });
});
opened.defer(stopProcesses);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void opened.disposeAsync().finally(() => process.exit(1)));
}

/** Starts both servers on the filled database. */
async function startServers(
  urls: { api: string; worker: string },
  data: BenchData,
): Promise<Pick<Run, 'bare' | 'searched' | 'ours'>> {
  const dialects = dialectsOf(data);
  const startBare = async (table: BareTable): Promise<Server> => {
    const child = startProcess('./peers/bare-server.ts', {
      BENCH_DATABASE_URL: cluster.adminUrl('trellis'),
      BENCH_CONNECTIONS: String(poolSize),
      BENCH_TABLE: table,
    });
    const { port } = (await nextMessage(child)) as { port: number };
    return { dialect: dialects.bare, url: `http://127.0.0.1:${port}`, headers: {}, pid: child.pid ?? 0 };
  };
  const bare = await startBare('articles');
  const searched = await startBare('searched_articles');
  const flags = [
    ...(options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`]),
    ...(options.memory ? [`--inspect-port=${inspectorPort}`] : []),
  ];
  const program = await startServing(['--port', '0', '--data-dir', join(dataDirectory, 'node')], {
    ...nodeSettings(urls),
    TRELLIS_DATABASE_POOL_SIZE: String(poolSize),
    ...(flags.length === 0 ? {} : { NODE_OPTIONS: flags.join(' ') }),
  });
  opened.defer(async () => void (await program.end('SIGTERM')));
  const [token] = await makeTokens(urls.worker, measured, [`${measured}@example.com`]);
  return {
    bare,
    searched,
    ours: {
      dialect: dialects.ours,
      url: program.url,
      headers: { authorization: `Bearer ${token}` },
      pid: program.pid,
    },
  };
}

function describeMemory({ before, after }: Awaited<ReturnType<typeof readMemory>>): string {
  const describe = ({ resident, heap, heapTotal, external }: Memory) =>
    `${resident.toFixed(0)} MB, of it ${heapTotal.toFixed(0)} MB heap, ${heap.toFixed(0)} MB of that in use, and ${external.toFixed(0)} MB buffers`;
  return `Of ours: ${describe(before)}. After a collection: ${describe(after)}.\n`;
}

/** Prints where PostgreSQL spent its time, ours and the bare server's. */
async function printStatements(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{
    calls: string;
    ms: string;
    plan: string;
    mean: string;
    query: string;
  }>(
    `SELECT calls, round(total_exec_time::numeric) AS ms, round(total_plan_time::numeric) AS plan,
       round((total_exec_time / calls)::numeric, 4) AS mean, left(regexp_replace(query, '\\s+', ' ', 'g'), 110) AS query
     FROM pg_stat_statements WHERE calls > 20 ORDER BY total_exec_time DESC LIMIT 45`,
  );
  print('\n| calls | ms | mean ms | statement |\n| --: | --: | --: | --- |\n');
  for (const { calls, ms, mean, query } of rows) print(`| ${calls} | ${ms} | ${mean} | ${query} |\n`);
}

try {
  const urls = await setUpDatabase(cluster.adminUrl(), 'trellis', makeRolePasswords());
  await migrate(urls.owner, () => undefined);
  const admin = new pg.Client({ connectionString: cluster.adminUrl('trellis') });
  admin.on('error', () => undefined); // the server is stopped under it at the end
  await admin.connect();
  const data = await prepareData(admin);
  if (!options.fill) {
    const servers = await startServers(urls, data);
    const cursors = isWanted('list after cursor')
      ? await findCursors([servers.bare, servers.ours])
      : { bare: '', ours: '' };
    const run: Run = { loader: startProcess('./load.ts'), admin, data, cursors, ...servers };
    if (options.statements) await admin.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    print(
      `${cpus().length} cores (${cpus()[0]?.model.trim()}), load ${loadavg()[0]?.toFixed(1)}, Node.js ${process.version}, `,
    );
    print(
      `PostgreSQL ${cluster.version}, ${records} articles, ${turns} turns of ${seconds} s\n\n${tableHead()}`,
    );
    const missed: string[] = [];
    for (const kind of cases.filter(({ name }) => isWanted(name))) {
      const pairs = await compare(run, kind, run.ours);
      print(tableRow(kind, pairs));
      const ratio = ratioOf(pairs);
      if (kind.aim !== null && ratio < kind.aim)
        missed.push(`${kind.name} (${ratio.toFixed(2)}, aim ${kind.aim})`);
    }
    // What the rows of a write take by themselves.
    for (const kind of cases.filter(({ hasRows }) => hasRows === true && isWanted('rows'))) {
      const rows = rowsServerOf(run.bare);
      print(
        tableRow(
          { ...kind, name: `${kind.name}, the rows of ours alone`, aim: null },
          await compare(run, kind, rows),
        ),
      );
    }
    if (isWanted('sustained')) {
      const ratio = await compareSustained(run);
      if (ratio < sustainedAim) missed.push(`sustained (${ratio.toFixed(2)}, aim ${sustainedAim})`);
    }
    const megabytes = `bare ${residentMegabytes(run.bare.pid).toFixed(0)} MB, ours ${residentMegabytes(run.ours.pid).toFixed(0)} MB`;
    print(`\nMemory after the run: ${megabytes}.\n`);
    if (options.memory) print(describeMemory(await readMemory(run.ours.pid, inspectorPort)));
    print(missed.length === 0 ? 'All aims are met.\n' : `Aims missed: ${missed.join('; ')}.\n`);
    if (options.statements) await printStatements(admin);
  }
} finally {
  await opened.disposeAsync();
}
