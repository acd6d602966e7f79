/**
 * The part `console` of the benchmark: whether the API is slower on a node that also serves the console. Two nodes, one of them without
 * it, serve the same articles and are asked in turns; printed are the medians, and that of the ratios within each pair of turns.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { makeRolePasswords, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import pg from 'pg';
import { startServing } from '../test/support/program.ts';
import { until } from '../test/support/until.ts';
import { fillDatabase, measured, readData } from './data.ts';
import { nodeSettings } from './node-settings.ts';
import { readNumber } from './numbers.ts';
import { cases } from './peers/cases.ts';
import { startProcess, stopProcesses } from './processes.ts';
import { makeTokens } from './tokens.ts';
import { type ComparedNode, type Comparison, compareNodes, comparisonHead } from './two-nodes.ts';

const help = `Compares the API of a node that serves the console with that of one that does not.

  npm run bench -- console

  --seconds N   length of a turn (5)
  --turns N     turns of each node for a case (6)
  --help        this text
`;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    turns: { type: 'string', default: '6' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(help);
  process.exit();
}

const seconds = readNumber(options, 'seconds', 1);
const turns = readNumber(options, 'turns', 1);
const measuredCases = ['get', 'list 25', 'create', 'patch'];
const records = 3_000;
const print = (text: string) => process.stdout.write(text);

const dataDirectory = await mkdtemp(join(tmpdir(), 'trellis-bench-'));
const opened = new AsyncDisposableStack();
opened.defer(() => rm(dataDirectory, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void opened.disposeAsync().finally(() => process.exit(1)));
}

/** Starts a node that serves the API, with or without the console. */
async function startNode(
  urls: { readonly api: string; readonly worker: string; readonly auth: string },
  console: 'on' | 'off',
): Promise<Pick<ComparedNode, 'url' | 'pid'>> {
  const node = await startServing(
    ['--port', '0', '--roles', 'api', '--data-dir', join(dataDirectory, `node-${console}`)],
    { ...nodeSettings(urls), TRELLIS_CONSOLE: console, TRELLIS_DATABASE_AUTH_URL: urls.auth },
  );
  opened.defer(async () => void (await node.end('SIGTERM')));
  // It is built beside the first requests, which would be measured too.
  if (console === 'on')
    await until('the console is served', async () =>
      (await (await fetch(`${node.url}/console`)).text()).includes('<script'),
    );
  return node;
}

try {
  // Under root PostgreSQL runs as another user, who must be able to get in: or else its files would be kept elsewhere.
  await chmod(dataDirectory, 0o755);
  const cluster = await startEmbedded({
    dataDirectory,
    log: () => undefined,
    settings: { shared_buffers: '512MB', max_connections: '100' },
  });
  opened.defer(() => cluster.stop('immediate'));
  opened.defer(stopProcesses);
  const urls = await setUpDatabase(cluster.adminUrl(), 'trellis', makeRolePasswords());
  await migrate(urls.owner, () => undefined);
  const admin = new pg.Client({ connectionString: cluster.adminUrl('trellis') });
  await admin.connect();
  await fillDatabase(admin, records);
  const data = await readData(admin);
  await admin.end();
  if (data === null) throw new Error('nothing was filled');
  const [token = ''] = await makeTokens(urls.worker, measured, [`${measured}@example.com`]);
  const common = { token, data, settle: async () => undefined };
  const comparison: Comparison = {
    loader: startProcess('./load.ts'),
    nodes: [
      { name: 'with the console', ...(await startNode(urls, 'on')), ...common },
      { name: 'without it', ...(await startNode(urls, 'off')), ...common },
    ],
    databasePid: cluster.pid,
    seconds,
    turns,
  };
  print(
    `${cpus().length} cores (${cpus()[0]?.model.trim()}), load ${loadavg()[0]?.toFixed(1)}, Node.js ${process.version}, ` +
      `PostgreSQL ${cluster.version}, ${turns} turns of ${seconds} s\n\n${comparisonHead(comparison.nodes)}`,
  );
  for (const kind of cases.filter(({ name }) => measuredCases.includes(name)))
    print(await compareNodes(comparison, kind));
} finally {
  await opened.disposeAsync();
}
