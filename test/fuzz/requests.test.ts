/**
 * Fuzz tests: generated requests to every operation in the OpenAPI documents of the server. No response may be a 5xx,
 * every response must be documented, none may contain texts of another organization, and a refused request must not
 * change anything.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { modules } from '@trellis/schema/resources/resource.ts';
import { closeRawConnections, sendRaw } from '../support/raw-requests.ts';
import { chooseSeed } from '../support/seed.ts';
import type { Json, TestResponse } from '../support/server.ts';
import { amount } from '../support/soak.ts';
import { TenantTables } from '../support/tenant-tables.ts';
import { listOperations } from './document.ts';
import { Random } from './random.ts';
import { type GeneratedRequest, makeRequest } from './requests.ts';
import { type Interface, openFuzzWorld } from './world.ts';

const requestsForEach = amount(20, 200);
const mostCursors = 20;

const world = await openFuzzWorld();
const { server } = world;
const tables = await TenantTables.open(server.database);
after(async () => {
  closeRawConnections();
  await tables.close();
  await server.close();
});

const readDocument = async (path: string): Promise<Json> => (await fetch(`${server.url}${path}`)).json();
const operations = [
  ...listOperations(await readDocument('/docs/openapi.json')),
  ...listOperations(await readDocument('/sandbox/openapi.json')),
];
const cursors: string[] = [];

const suspending = 'updateOrganization';
// Last, because callers of a suspended organization are refused.
operations.sort((a, b) => Number(a.operationId === suspending) - Number(b.operationId === suspending));

for (const operation of operations) {
  const { operationId, method, path } = operation;
  const interfaceName: Interface = path.startsWith('/sandbox')
    ? 'sandbox'
    : operationId === 'identifyVisitor'
      ? 'identify'
      : 'api';

  test(`${operationId}: ${requestsForEach} generated requests`, async (context) => {
    const random = new Random(chooseSeed(context), operationId);
    const ids = world.idSource(random);
    const keys: string[] = [];
    const failures: string[] = [];
    const statuses = new Map<number, number>();
    await tables.takeChanges();
    for (let count = 0; count < requestsForEach; count += 1) {
      const request = makeRequest(operation, world.callers[interfaceName], random, ids, { cursors, keys });
      const response = await sendRaw(server.url, request);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const changes = await tables.takeChanges();
      const faults = [...faultsOf(request, response), ...faultsOfChanges(response, changes)];
      if (faults.length > 0) failures.push(describe(request, response, faults));
      remember(request, response, keys);
      if (method === 'DELETE' && response.status === 204) await renew(path);
      if (operationId === suspending && response.status === 200) await resumeOrganization();
    }
    context.diagnostic(JSON.stringify(Object.fromEntries([...statuses].sort())));
    assert.equal(
      failures.length,
      0,
      `${failures.length} failures, the first:\n${failures.slice(0, 3).join('\n')}`,
    );
  });
}

function faultsOf(request: GeneratedRequest, response: TestResponse): string[] {
  const [path = '', ...query] = request.path.split('?');
  const { status, headers, text } = response;
  const hidden = new RegExp(request.caller.hidden);
  return [
    ...(status >= 500 ? [`status ${status}`] : []),
    ...server.faultsOf({ method: request.method, path, query: query.join('?'), status, headers, text }),
    ...(hidden.test(text) || hidden.test([...headers.values()].join()) ? ['shows what is hidden'] : []),
  ];
}

/** What a request changed that failed. Renditions are kept after the response that they were made for, so the next request may see that. */
function faultsOfChanges(
  { status }: TestResponse,
  { picture_renditions, ...changes }: Readonly<Record<string, number>>,
): string[] {
  const isAllowed = (status >= 200 && status < 300) || Object.keys(changes).length === 0;
  return isAllowed ? [] : [`changed ${JSON.stringify(changes)}`];
}

function remember({ headers }: GeneratedRequest, { json }: TestResponse, keys: string[]): void {
  const key = headers?.['idempotency-key'];
  if (typeof key === 'string') keys.push(key);
  const cursor = json?.pageInfo?.nextCursor;
  if (typeof cursor === 'string' && cursors.length < mostCursors) cursors.push(cursor);
}

/** Replaces the record that a deletion took away. */
async function renew(path: string): Promise<void> {
  const deleted = server.server.operations.find((each) => each.path === path && each.method === 'DELETE');
  const resource = deleted?.requirement.permission?.resource;
  if (resource !== undefined) await world.renew(resource);
  await tables.takeChanges();
}

/** Undoes a change of status or modules. */
async function resumeOrganization(): Promise<void> {
  await tables.run(
    `UPDATE trellis.organizations SET status = 'ACTIVE', modules = $2, mfa_required = false WHERE id = $1`,
    [server.organization.id, [...modules]],
  );
  await tables.takeChanges();
}

function describe(
  { caller, method, path, headers, body }: GeneratedRequest,
  { status, text }: TestResponse,
  faults: readonly string[],
): string {
  const shown = body === undefined ? '' : ` ${String(body).slice(0, 2_000)}`;
  return `${caller.name}: ${method} ${path} ${JSON.stringify(headers)}${shown}\n  ${status} ${text.slice(0, 600)}\n  ${faults.join('; ')}`;
}
