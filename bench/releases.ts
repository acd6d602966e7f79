/**
 * The part `releases` of the benchmark: what a request costs in this clone beside another one of the project, such as an earlier release. Each has its own
 * database in one PostgreSQL with the same articles, and both nodes, with all roles, are loaded in alternating turns.
 */
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import {
  makeRolePasswords,
  type RolePasswords,
  setUpDatabase,
} from '@trellis/server/kernel/database/setup.ts';
import pg from 'pg';
import { awaitReady, cleanEnvironment } from '../test/support/program.ts';
import { fillDatabase, measured, readData } from './data.ts';
import { nodeSettings } from './node-settings.ts';
import { readNumber } from './numbers.ts';
import { cases } from './peers/cases.ts';
import { startProcess, stopProcesses } from './processes.ts';
import { residentMegabytes } from './processor-time.ts';
import { type ComparedNode, type Comparison, compareNodes, comparisonHead } from './two-nodes.ts';

const measuredCases = cases.filter(
  ({ name, isSearched }) => isSearched !== true && name !== 'list after cursor',
);
const help = `Compares this clone of the project with another one, such as a worktree of an earlier release.

  npm run bench -- releases --other ../earlier

  --other FOLDER    the other clone, with its packages installed
  --records N       articles of each (20000)
  --seconds N       length of a turn (2)
  --turns N         turns of each node for a case (15)
  --only NAMES      cases whose name begins with one of these, separated by commas
  --profile FOLDER  write V8 CPU profiles to its folders "this" and "other" when the nodes end
  --help            this text

Cases: ${measuredCases.map(({ name }) => name).join('; ')}.
`;

const { values: options } = parseArgs({
  options: {
    other: { type: 'string' },
    records: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '2' },
    turns: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help || options.other === undefined) {
  process.stdout.write(help);
  process.exit(options.help ? 0 : 2);
}

const records = readNumber(options, 'records', 1);
const seconds = readNumber(options, 'seconds', 1);
const turns = readNumber(options, 'turns', 1);
const wanted = options.only.split(',');
const print = (text: string) => process.stdout.write(text);
const execute = promisify(execFile);

const dataDirectory = await mkdtemp(join(tmpdir(), 'trellis-bench-'));
// Under root PostgreSQL runs as another user, who must be able to get in: or else its files would be kept elsewhere.
await chmod(dataDirectory, 0o755);
const opened = new AsyncDisposableStack();
opened.defer(() => rm(dataDirectory, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void opened.disposeAsync().finally(() => process.exit(1)));
}

try {
  const cluster = await startEmbedded({
    dataDirectory,
    log: () => undefined,
    settings: { shared_buffers: '1GB', max_connections: '100', max_wal_size: '8GB' },
  });
  opened.defer(() => cluster.stop('immediate'));
  opened.defer(stopProcesses);
  const passwords = makeRolePasswords();

  /** A node of a clone on a database of its own, which is set up by that clone and filled by this one. */
  const startNode = async (name: string, folder: string, passwords: RolePasswords): Promise<ComparedNode> => {
    const main = join(folder, 'packages/server/src/main.ts');
    const urls = await setUpDatabase(cluster.adminUrl(), `trellis_${name}`, passwords);
    const environment = cleanEnvironment({
      ...nodeSettings(urls),
      TRELLIS_DATABASE_OWNER_URL: urls.owner,
      TRELLIS_DATABASE_POOL_SIZE: '16',
    });
    const run = async (...words: readonly string[]) =>
      (await execute(process.execPath, [main, ...words], { env: environment, cwd: folder })).stdout;
    await run('migrate');
    const admin = new pg.Client({ connectionString: cluster.adminUrl(`trellis_${name}`) });
    admin.on('error', () => undefined); // the server is stopped under it at the end
    await admin.connect();
    print(`Filling ${records} articles for ${name} …\n`);
    await fillDatabase(admin, records);
    await admin.query('VACUUM ANALYZE');
    const data = await readData(admin);
    if (data === null) throw new Error('nothing was filled');
    const granted = [
      '--organization',
      measured,
      '--user',
      `${measured}@example.com`,
      '--all-scopes',
      '--json',
    ];
    const { token } = JSON.parse(await run('token', 'create', ...granted)) as { token: string };
    const profiling =
      options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile, name)}`];
    const words = ['serve', '--json', '--port', '0', '--data-dir', join(dataDirectory, name)];
    const node = await awaitReady(
      spawn(process.execPath, [...profiling, main, ...words], {
        env: environment,
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    opened.defer(async () => void (await node.end('SIGTERM')));
    const settle = async () => {
      const waiting =
        'SELECT EXISTS (SELECT FROM trellis.search_marks) OR EXISTS (SELECT FROM trellis.outbox) AS busy';
      while ((await admin.query<{ busy: boolean }>(waiting)).rows[0]?.busy !== false) await sleep(20);
      await admin.query('SELECT trellis.insert_pending_keys()');
    };
    return { name, url: node.url, pid: node.pid, token, data, settle };
  };

  const root = fileURLToPath(new URL('..', import.meta.url));
  const comparison: Comparison = {
    nodes: [
      await startNode('this', root, passwords),
      await startNode('other', resolve(options.other), passwords),
    ],
    loader: startProcess('./load.ts'),
    databasePid: cluster.pid,
    seconds,
    turns,
  };
  print(
    `\n${cpus().length} cores (${cpus()[0]?.model.trim()}), load ${loadavg()[0]?.toFixed(1)}, Node.js ${process.version}, ` +
      `PostgreSQL ${cluster.version}, ${records} articles, ${turns} turns of ${seconds} s\n\n${comparisonHead(comparison.nodes)}`,
  );
  for (const kind of measuredCases.filter(({ name }) => wanted.some((one) => name.startsWith(one))))
    print(await compareNodes(comparison, kind));
  const memory = comparison.nodes.map(({ name, pid }) => `${name} ${residentMegabytes(pid).toFixed(0)} MB`);
  print(`\nMemory after the run: ${memory.join(', ')}.\n`);
} finally {
  await opened.disposeAsync();
}
