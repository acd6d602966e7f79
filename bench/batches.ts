/**
 * The part `batches` of the benchmark: creations in batches of 100, beside single ones. Both are sent to the same node in turns; printed
 * are medians, and of the ratios within each pair of turns.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { makeRolePasswords, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import pg from 'pg';
import { startServing } from '../test/support/program.ts';
import { fillDatabase, measured, readData } from './data.ts';
import type { LoadRequest, LoadResult } from './load.ts';
import { median } from './median.ts';
import { nodeSettings } from './node-settings.ts';
import { readNumber } from './numbers.ts';
import { nextMessage, startProcess, stopProcesses } from './processes.ts';
import { processorTimeOf, processorTimeOfTree } from './processor-time.ts';
import { makeTokens } from './tokens.ts';

const help = `Compares creations in batches with single ones.

  npm run bench -- batches

  --seconds N         length of a turn (3)
  --turns N           turns of each kind (3)
  --profile FOLDER    write a V8 CPU profile of the node there when it ends
  --help              this text
`;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    turns: { type: 'string', default: '3' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(help);
  process.exit();
}

const seconds = readNumber(options, 'seconds', 1);
const turns = readNumber(options, 'turns', 1);
const batchSize = 100;
/** Least rate of creations in batches, as a multiple of single ones. */
const aim = 3;
const print = (text: string) => process.stdout.write(text);

/** A way to create records. */
interface Way {
  readonly connections: number;
  /** Of a request. */
  readonly records: number;
  readonly requests: readonly LoadRequest[];
}

/** What a turn cost. */
interface Turn {
  readonly perSecond: number;
  /** Processor time for each record, in microseconds. */
  readonly node: number;
  readonly database: number;
}

/** The single and the batched creations of records with these bodies, in which `{number}` becomes another number for each record. */
function waysOf(path: string, bodies: readonly object[]): readonly [Way, Way] {
  const texts = bodies.map((body) => JSON.stringify(body));
  const batch = Array.from({ length: batchSize }, (_, index) => {
    const text = texts[index % texts.length] ?? '';
    return `{"op":"create","data":${text.replaceAll('{number}', `{number}-${index}`)}}`;
  });
  return [
    { connections: 16, records: 1, requests: texts.map((body) => ({ method: 'POST', path, body })) },
    {
      connections: 4,
      records: batchSize,
      requests: [{ method: 'POST', path: `${path}/batch`, body: `{"items":[${batch.join()}]}` }],
    },
  ];
}

const dataDirectory = await mkdtemp(join(tmpdir(), 'trellis-bench-'));
const opened = new AsyncDisposableStack();
opened.defer(() => rm(dataDirectory, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void opened.disposeAsync().finally(() => process.exit(1)));
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
  await fillDatabase(admin, 3_000);
  const data = await readData(admin);
  await admin.query(`UPDATE trellis.organizations SET modules = array_append(modules, 'crm')`);
  await admin.end();
  if (data === null) throw new Error('nothing was filled');
  const [token = ''] = await makeTokens(urls.worker, measured, [`${measured}@example.com`]);
  const node = await startServing(
    ['--port', '0', '--roles', 'api', '--data-dir', join(dataDirectory, 'node')],
    {
      ...nodeSettings(urls),
      ...(options.profile === undefined
        ? {}
        : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profile}` }),
    },
  );
  opened.defer(async () => void (await node.end('SIGTERM')));
  const loader = startProcess('./load.ts');
  const headers = { authorization: `Bearer ${token}`, prefer: 'return=minimal' };

  const measure = async ({ connections, records, requests }: Way, duration: number): Promise<Turn> => {
    const before = [processorTimeOf(node.pid), processorTimeOfTree(cluster.pid)] as const;
    loader.send({ url: node.url, headers, seconds: duration, connections, requests });
    const result = (await nextMessage(loader)) as LoadResult;
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
    const count = Math.max(1, result.requests * records);
    const cost = (after: number, from: number) => ((after - from) * 1_000) / count;
    return {
      perSecond: result.requestsPerSecond * records,
      node: cost(processorTimeOf(node.pid), before[0]),
      database: cost(processorTimeOfTree(cluster.pid), before[1]),
    };
  };

  print(
    `${cpus().length} cores (${cpus()[0]?.model.trim()}), load ${loadavg()[0]?.toFixed(1)}, Node.js ${process.version}, ` +
      `PostgreSQL ${cluster.version}, ${turns} turns of ${seconds} s\n\n` +
      '| creations | single | in batches of 100 | times | µs of node, PostgreSQL | in batches |\n| --- | --: | --: | --: | --: | --: |\n',
  );
  const kinds: readonly [string, string, readonly object[]][] = [
    [
      'contacts',
      '/v1/crm/contacts',
      [
        {
          firstName: 'Ada',
          lastName: 'Lovelace {number}',
          jobTitle: 'Analyst',
          emails: [{ address: 'ada.{number}@example.com' }],
          phones: [{ number: '+49 30 1234567' }],
          externalId: 'crm-{number}',
          tags: ['newsletter'],
        },
      ],
    ],
    [
      'articles of some kilobytes',
      `/v1/sites/${encodeId('site', data.siteId)}/articles`,
      data.samples.map(({ title, summary, body }) => ({
        versionData: { title: `${title} {number}`, summary, body },
      })),
    ],
  ];
  for (const [name, path, bodies] of kinds) {
    const [single, batched] = waysOf(path, bodies.slice(0, batchSize));
    for (const way of [single, batched]) await measure(way, 1);
    const pairs: { single: Turn; batched: Turn }[] = [];
    for (let turn = 0; turn < turns; turn += 1)
      pairs.push({ single: await measure(single, seconds), batched: await measure(batched, seconds) });
    const middle = (pick: (pair: (typeof pairs)[number]) => number) => median(pairs.map(pick));
    const times = middle((pair) => pair.batched.perSecond / pair.single.perSecond);
    print(
      `| ${name} | ${middle((pair) => pair.single.perSecond).toFixed(0)}/s | ${middle((pair) => pair.batched.perSecond).toFixed(0)}/s | ` +
        `${times.toFixed(1)}${times < aim ? ` (aim ${aim})` : ''} | ${middle((pair) => pair.single.node).toFixed(0)}, ${middle((pair) => pair.single.database).toFixed(0)} | ` +
        `${middle((pair) => pair.batched.node).toFixed(0)}, ${middle((pair) => pair.batched.database).toFixed(0)} |\n`,
    );
  }
} finally {
  await opened.disposeAsync();
}
