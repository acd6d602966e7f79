/**
 * Each statement names the organization at each of its levels, so that no statement rests on row-level security alone, and the keys and
 * indexes of tenant tables, which begin with the organization, serve it.
 */
import '../support/statements/declared.ts';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import { hasHistory } from '@trellis/schema/resources/resource.ts';
import { loadModule, parseSync } from 'libpg-query';
import { type Catalogue, readCatalogue } from '../support/statements/catalogue.ts';
import { findMissingConditions } from '../support/statements/conditions.ts';
import { declared, loadDeclarations } from '../support/statements/declared.ts';
import { acrossOrganizations } from '../support/statements/exceptions.ts';

/** The faults of a statement. */
interface Examined {
  readonly place: string;
  readonly conditions: readonly string[];
}

/** The first parameters with which statements were sent to the organization of the test, by their names. */
const firstParameters = new Map<string, Set<unknown>>();
let organizationId = '';
let tenantTables: ReadonlySet<string> = new Set();

/** By the name of the statement; those of dynamic ones, which are numbered, without the number. */
const examined = new Map<string, Examined[]>();

before(async () => {
  await loadDeclarations();
  await loadModule();
  // Imported after the hook, which marks the modules as they are loaded.
  const { startTestServer } = await import('../support/server.ts');
  const { buildRareStatements, sendRequests } = await import('../support/statements/requests.ts');
  const { Database } = await import('@trellis/server/kernel/database/database.ts');
  const { Connections } = await import('@trellis/server/kernel/database/connections.ts');
  const server = await startTestServer();
  organizationId = server.organization.id;
  const { send } = Connections.prototype;
  Connections.prototype.send = function (this: InstanceType<typeof Connections>, client, steps, options) {
    for (const { statement, values } of steps)
      firstParameters.set(statement.name, (firstParameters.get(statement.name) ?? new Set()).add(values[0]));
    return send.call(this, client, steps, options);
  };
  try {
    buildRareStatements();
    await sendRequests(server);
    const admin = new Database({
      url: server.database.adminUrl,
      poolSize: 1,
      prepare: false,
      acquireTimeoutMs: 5_000,
      applicationName: 'tenant statements',
      log: () => undefined,
    });
    const catalogue = await readCatalogue(admin);
    tenantTables = catalogue.tenantTables;
    examineAll(catalogue);
    await admin.close();
  } finally {
    Connections.prototype.send = send;
    await server.close();
  }
});

function examineAll(catalogue: Catalogue): void {
  for (const [place, statements] of declared) {
    // Copies of statements, for the protocol.
    if (place.startsWith('kernel/database/batch.ts')) continue;
    for (const { name, text, isDynamic, parts } of statements.values()) {
      // The parts of a joined statement are declared themselves.
      if (parts !== undefined) continue;
      const known = isDynamic === true ? name.replace(/_\d+$/, '') : name;
      const found = { place, conditions: findMissingConditions(parseSync(text), catalogue) };
      examined.set(known, [...(examined.get(known) ?? []), found]);
    }
  }
}

test('every statement that the source declares is examined', () => {
  const unseen = [...declared].flatMap(([place, statements]) =>
    // The driver's copies of statements, and its checks of connections, which read no table.
    statements.size > 0 || place.startsWith('kernel/database/') ? [] : [place],
  );
  assert.deepEqual(unseen, []);
  assert.ok(examined.size > 500);
});

test('every level of a statement that reads a tenant table has organization_id = $1', () => {
  const faults = [...examined].flatMap(([name, all]) =>
    name in acrossOrganizations
      ? []
      : all.flatMap(({ place, conditions }) => conditions.map((fault) => `${name} (${place}): ${fault}`)),
  );
  const idle = Object.keys(acrossOrganizations).filter(
    (name) => !examined.get(name)?.some(({ conditions }) => conditions.length > 0),
  );
  assert.deepEqual([...new Set(faults), ...idle.map((name) => `${name} needs no exception`)], []);
});

test('$1 is the organization wherever a tenant table is read', () => {
  const texts = new Map(
    [...declared.values()].flatMap((all) => [...all].map(([name, { text }]) => [name, text])),
  );
  const isOfTenants = (name: string) =>
    !(name in acrossOrganizations) &&
    [...(texts.get(name) ?? '').matchAll(/trellis\.(\w+)/g)].some(([, table]) =>
      tenantTables.has(table ?? ''),
    );
  const sent = [...firstParameters].filter(([name]) => isOfTenants(name));
  assert.ok(sent.length > 400);
  assert.deepEqual(
    sent.flatMap(([name, values]) => (values.size === 1 && values.has(organizationId) ? [] : [name])),
    [],
  );
});

/** Statements that raise the version of a record beside its storage, and where the change is stored. */
const raisesVersion: Readonly<Record<string, string>> = {
  claim_disable_endpoints: 'claim_note_disabling',
};

test('what raises the version of a record with a history stores the change', () => {
  const statements = new Map([...declared.values()].flatMap((all) => [...all]));
  const raising = (table: string) =>
    [...statements].flatMap(([name, { text, parts }]) => {
      const isRaised = new RegExp(`UPDATE trellis\\.${table} .*\\bversion = `, 's').test(text);
      // Those of storages are sent by `applyChange`, which stores the change.
      return isRaised && parts === undefined && !name.startsWith('update_') ? [name] : [];
    });
  const found = resources.filter(hasHistory).flatMap(({ table }) => raising(table));
  assert.deepEqual(found.toSorted(), Object.keys(raisesVersion).toSorted());
  for (const note of Object.values(raisesVersion))
    assert.match(statements.get(note)?.text ?? '', /INTO trellis\.changes/);
  // Of members also what is read of their accounts changes without a version.
  assert.deepEqual(
    resources.filter(({ history }) => history === false).map(({ name }) => name),
    ['members', 'tokens'],
  );
  assert.ok(raising('tokens').length > 0);
});
