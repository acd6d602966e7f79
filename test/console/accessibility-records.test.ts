/** The list and a record of each resource, by the rules of axe: light and dark, wide and narrow. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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

test('no list and no record of the console bars people from it', async () => {
  const { server, world, openAs } = console;
  const screens = [];
  for (const resource of shownResources) {
    const list = listPathOf(resource, world.ids);
    const id = world.ids.get(resource.name);
    assert.ok(id, `no record of ${resource.name}`);
    const { json } = await server.call('GET', `/v1${list}/${id}`);
    const shows = resource.titleField.split('.').reduce((value, key) => value[key], json);
    screens.push({ name: `list of ${resource.name}`, path: list, shows });
    screens.push({ name: `record of ${resource.name}`, path: `${list}/${id}`, shows });
  }
  const opened = await openAs(server.ownerId);
  assert.deepEqual(await findBarriersOf(opened, screens), []);
  opened.checkFaults();
});
