/** The pages of the console, derived from its router and the resources, so that a test of all of them misses none. */

import { resources } from '@trellis/schema/resources/index.ts';
import { hasOperation, type Resource } from '@trellis/schema/resources/resource.ts';
import type { Page } from 'playwright-core';
import { type ConsolePage, startTestConsole, type TestConsole } from './console.ts';
import { createOwnWorld, type Ids, type World } from './fixtures.ts';
import { readUploads } from './pictures.ts';
import { startTestRelay } from './relay.ts';
import { nameTestFile } from './screenshots.ts';
import { until } from './until.ts';

/** A console whose organization has one record of every resource, and its events. */
export interface FilledConsole extends TestConsole {
  readonly world: World;
}

/** Starts it. */
export async function startFilledConsole(): Promise<FilledConsole> {
  const console = await startTestConsole();
  const { server } = console;
  const relay = startTestRelay(server.database);
  const extraction = await readUploads(server);
  const world = await createOwnWorld(server);
  await until('the picture has been read', async () => {
    const { json } = await server.call('GET', `/v1/knowledge-files/${world.ids.get('knowledge-files')}`);
    return json.status === 'NOT_APPLICABLE';
  });
  return {
    ...console,
    world,
    async close() {
      await extraction.stop();
      await relay.stop();
      await console.close();
    },
  };
}

/** The path of the router for the lists and records of all resources. */
export const placePath = '/$';

/** The paths of the router of the console. TanStack Router leaves itself in the page for its developer tools. */
export async function readRouterPaths(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('Object.keys(__TSR_ROUTER__.routesByPath)');
}

/** The resources that have pages. */
export const shownResources: readonly Resource[] = resources.filter((one) => hasOperation(one, 'list'));

/** The path of the list of a resource, below the parent among the ids. */
export function listPathOf({ path, parent }: Resource, ids: Ids): string {
  return parent === null ? path : path.replace(`{${parent.parameter}}`, ids.get(parent.resource) ?? '-');
}

/** A page of the console. */
export interface Screen {
  readonly name: string;
  readonly path: string;
  /** What it shows when it has been loaded, in English: a text or the value of an input. */
  readonly shows: string;
  /** Opens what stands in front of the page, and waits until it is shown. */
  readonly act?: (page: Page) => Promise<void>;
}

/** Opens each page in turn. @returns what bars people from it */
export async function findBarriersOf(
  { page, open, findBarriers }: ConsolePage,
  screens: Iterable<Screen>,
): Promise<string[]> {
  const file = nameTestFile();
  const found: string[] = [];
  for (const { name, path, shows, act } of screens) {
    await open(path);
    await untilShown(page, shows);
    await act?.(page);
    found.push(...(await findBarriers(name, file)));
  }
  return found;
}

/** Waits until the page, or a dialog in front of it, shows a text, and nothing is being loaded. */
async function untilShown(page: Page, shows: string): Promise<void> {
  const isShown = `(() => {
    const text = ${JSON.stringify(shows)};
    const areas = [...document.querySelectorAll('main, [role="dialog"]')];
    const inputs = areas.flatMap((area) => [...area.querySelectorAll('input, textarea')]);
    return document.querySelector('main .mantine-Loader-root') === null &&
      (areas.some((area) => area.innerText.includes(text)) || inputs.some(({ value }) => value.includes(text)));
  })()`;
  await until(`the page shows ${shows}`, () => page.evaluate<boolean>(isShown));
}
