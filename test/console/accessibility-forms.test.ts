/** The lists without records, and the forms for new records and of records that are read first, by the rules of axe. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import {
  type FilledConsole,
  findBarriersOf,
  listPathOf,
  shownResources,
  startFilledConsole,
} from '../support/screens.ts';

let console: FilledConsole;
before(async () => {
  console = await startFilledConsole();
});
after(() => console.close());

/** `KnowledgeFile` as pages show it. */
const spaced = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
const nounOf = ({ title }: Resource) => spaced(title.singular);
const nounsOf = ({ title }: Resource) => spaced(title.plural);

/** What lists without records show that do not say that there are none, or in other words. */
const emptyLists: Readonly<Record<string, string>> = {
  'webhook-endpoints': 'No endpoints yet',
  // There are those of every organization.
  roles: 'Viewer',
  members: '(you)',
  clients: 'No tokens yet.',
  tokens: 'No tokens yet.',
  invitations: 'No invitations',
};

/** What is shown for a new record beside its title, or instead of a form. */
const newRecords: Readonly<Record<string, string>> = {
  'knowledge-files': 'Drop files here',
  'webhook-endpoints': 'New endpoint',
  members: 'New service member',
  invitations: 'Invite a member',
};

test('no list without records bars people from it', async () => {
  const { server, openAs } = console;
  const { worker } = server.database;
  const organization = await createOrganization(worker, 'empty');
  const ownerId = await createMember(worker, organization, 'OWNER');
  const opened = await openAs(ownerId);
  const screenOf = (resource: Resource, ids: ReadonlyMap<string, string>, shows: string) => ({
    name: `${resource.name}, empty${ids.size === 0 ? '' : ' below a parent'}`,
    path: listPathOf(resource, ids),
    shows,
  });
  const withoutParent = shownResources.map((resource) => {
    const parent = shownResources.find(({ name }) => name === resource.parent?.resource);
    const shows =
      parent === undefined
        ? (emptyLists[resource.name] ?? `No ${nounsOf(resource)} yet`)
        : `${parent.title.singular} required`;
    return screenOf(resource, new Map(), shows);
  });
  assert.deepEqual(await findBarriersOf(opened, withoutParent), []);
  // Below a parent.
  const { token } = await createToken(worker, organization, ownerId);
  const parents = new Map<string, string>();
  const bodies = { sites: { name: 'Blog', key: 'blog' }, magazines: { title: 'Waters' } };
  for (const [name, body] of Object.entries(bodies)) {
    const { json, text } = await server.call('POST', `/v1/${name}`, { body, token });
    assert.ok(json.id, text);
    parents.set(name, json.id);
  }
  const belowParent = shownResources
    .filter(({ parent }) => parent !== null)
    .map((resource) => screenOf(resource, parents, `No ${nounsOf(resource)} yet`));
  assert.deepEqual(await findBarriersOf(opened, belowParent), []);
  opened.checkFaults();
});

test('no form for a new record bars people from it', async () => {
  const opened = await console.openAs(console.server.ownerId);
  const screens = shownResources.map((resource) => ({
    name: `new ${nounOf(resource)}`,
    path: `${listPathOf(resource, console.world.ids)}/new`,
    shows: newRecords[resource.name] ?? `New ${nounOf(resource)}`,
  }));
  assert.deepEqual(await findBarriersOf(opened, screens), []);
  opened.checkFaults();
});

test('no form behind a page to read bars people from it', async () => {
  const { world, openAs, server } = console;
  const opened = await openAs(server.ownerId);
  const screens = ['contacts', 'companies', 'knowledge-files'].map((name) => {
    const resource = shownResources.find((one) => one.name === name);
    assert.ok(resource);
    return {
      name: `form of ${name}`,
      path: `${listPathOf(resource, world.ids)}/${world.ids.get(name)}?edit=yes`,
      shows: 'Technical details',
    };
  });
  assert.deepEqual(await findBarriersOf(opened, screens), []);
  opened.checkFaults();
});
