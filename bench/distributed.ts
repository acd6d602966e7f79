/**
 * One request after the other on plain PostgreSQL, and on a prepared Citus cluster (TRELLIS_TEST_CITUS_NODES; see test/support/citus.ts), where they
 * go through the coordinator or to the shard of their organization. Servers, database and client share the machine.
 */
import { parseArgs } from 'node:util';
import { withoutCitus } from '../test/support/citus.ts';
import { startTestServer, type TestServer } from '../test/support/server.ts';
import { until } from '../test/support/until.ts';
import { median } from './median.ts';

const options = {
  turns: { type: 'string', default: '10' },
  requests: { type: 'string', default: '30' },
  help: { type: 'boolean', default: false },
} as const;
const help = `npm run bench -- distributed [--turns 10] [--requests 30]

  --turns      alternating turns of each way
  --requests   requests of each kind in a turn

TRELLIS_TEST_CITUS_NODES names the cluster: postgres://postgres:secret@10.0.0.1:5432,10.0.0.2:5432/postgres
`;

const kinds = ['get', 'list', 'create', 'patch'] as const;

/** A server, and how its reads are sent. */
interface Way {
  readonly name: string;
  readonly server: TestServer;
  /** Undefined where nothing is to be chosen. */
  readonly isRouted?: boolean;
}

const { values } = parseArgs({ options });
if (values.help || withoutCitus !== false) process.stdout.write(values.help ? help : `${withoutCitus}\n`);
else await measure(Number(values.turns), Number(values.requests));

async function measure(turns: number, requests: number): Promise<void> {
  const plain = await startTestServer({ distributed: false });
  const cluster = await startTestServer({ distributed: true });
  try {
    const ways: readonly Way[] = [
      { name: 'plain PostgreSQL', server: plain },
      { name: 'through the coordinator', server: cluster, isRouted: false },
      { name: 'to the shard', server: cluster, isRouted: true },
    ];
    const { routes } = cluster.database;
    if (routes === null) throw new Error('the database is not distributed');
    const isKnown = () => routes.knows(cluster.organization.id);
    await until('the server of the organization is known', isKnown);
    const times = new Map<string, number[]>();
    // The first turn warms up.
    for (let turn = -1; turn < turns; turn += 1)
      for (const { name, server, isRouted } of ways) {
        if (isRouted !== undefined) cluster.database.api.routeToShards(isRouted ? routes : null);
        for (const [kind, milliseconds] of await sendRequests(server, requests))
          if (turn >= 0)
            times.set(`${name} ${kind}`, [...(times.get(`${name} ${kind}`) ?? []), ...milliseconds]);
      }
    process.stdout.write(
      '| p50 in ms | get | list of 25 | create | PATCH |\n| --- | --: | --: | --: | --: |\n',
    );
    for (const { name } of ways) {
      const cells = kinds.map((kind) => median(times.get(`${name} ${kind}`) ?? []).toFixed(1));
      process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`);
    }
  } finally {
    await cluster.close();
    await plain.close();
  }
}

/** Sends each kind of request some times. @returns the times in ms by kind */
async function sendRequests(server: TestServer, requests: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  const send = async (kind: (typeof kinds)[number], method: string, path: string, body?: object) => {
    const began = performance.now();
    const response = await server.call(method, path, body === undefined ? {} : { body });
    const took = performance.now() - began;
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    times.set(kind, [...(times.get(kind) ?? []), took]);
    return response.json;
  };
  for (let index = 0; index < requests; index += 1) {
    const book = await send('create', 'POST', '/v1/books', { title: `Book ${index}` });
    await send('patch', 'PATCH', `/v1/books/${book.id}`, { title: `Changed ${index}` });
    await send('get', 'GET', `/v1/books/${book.id}`);
    await send('list', 'GET', '/v1/books?limit=25');
  }
  return times;
}
