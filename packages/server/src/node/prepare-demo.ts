/**
 * The demo: created through the API by the first start on an empty installation. Later starts find it again and update its
 * addresses.
 */

import { AdministrationError } from '../features/access/checks.ts';
import { makeSignInLink } from '../features/access/sign-in-link.ts';
import { type DemoFile, demoFilePath, readDemoFile } from '../features/demo/demo-file.ts';
import { isWithoutOrganizations, makeDemoKey, seedDemo } from '../features/demo/seed.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Database } from '../kernel/database/database.ts';
import { type Installation, openDatabase } from './installation.ts';
import type { Addresses } from './node.ts';
import { writePrivateFile } from './secrets.ts';

/**
 * The demo of this data directory, created if the installation is empty; null when there is none to show.
 * @param onCreate called before it is created, which takes seconds
 */
export async function prepareDemo(
  config: Config,
  installation: Installation,
  addresses: Addresses,
  callUrl: string,
  onCreate: () => void,
): Promise<DemoFile | null> {
  const known = readDemoFile(config.dataDir);
  if (known !== null && (known.baseUrl === addresses.baseUrl || installation.urls.worker === null)) {
    const current = { ...known, ...addresses };
    if (JSON.stringify(current) !== JSON.stringify(known)) writeDemoFile(config, current);
    return current;
  }
  if (installation.urls.worker === null) return null;
  const worker = openDatabase(config, installation.urls.worker, { poolSize: 1, name: 'trellis demo' });
  try {
    if (known !== null) {
      // The demo page has a new origin, and a publishable key is bound to its origin.
      const moved = { ...known, ...addresses, ...(await renewDemoKey(worker, known, addresses.baseUrl)) };
      writeDemoFile(config, moved);
      return moved;
    }
    if (!(await isWithoutOrganizations(worker))) return null;
    onCreate();
    const demo = await seedDemo(worker, addresses, callUrl);
    writeDemoFile(config, demo);
    return demo;
  } finally {
    await worker.close();
  }
}

/** A link that signs the demo's user in, once; null if the console has no sign-in. */
export async function makeDemoLink(
  config: Config,
  { urls }: Installation,
  { user, baseUrl }: DemoFile,
): Promise<string | null> {
  if (!config.console || urls.auth === null) return null;
  const auth = openDatabase(config, urls.auth, { poolSize: 1, name: 'trellis demo' });
  try {
    return (await makeSignInLink(auth, user, baseUrl)).url;
  } catch (error) {
    // The person was disabled or deleted, which must not stop the server.
    if (error instanceof AdministrationError) return null;
    throw error;
  } finally {
    await auth.close();
  }
}

/** A new publishable key; none when the organization of the demo has been deleted, which must not stop the server. */
async function renewDemoKey(
  worker: Database,
  { siteId }: DemoFile,
  baseUrl: string,
): Promise<Partial<DemoFile>> {
  try {
    return { publishableKey: await makeDemoKey(worker, siteId, baseUrl) };
  } catch (error) {
    if (error instanceof AdministrationError) return {};
    throw error;
  }
}

function writeDemoFile(config: Config, demo: DemoFile): void {
  writePrivateFile(demoFilePath(config.dataDir), `${JSON.stringify(demo, null, 2)}\n`);
}
