/**
 * Why: the demo is made once, by the first start on an empty installation, through the API that this start serves; later
 * starts find it again, and keep its addresses true.
 */
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { type DemoFile, demoFilePath, readDemoFile } from '../demo/demo-file.ts';
import { isWithoutOrganizations, makeDemoKey, seedDemo } from '../demo/seed.ts';
import { AdministrationError } from '../identity/administration/checks.ts';
import { type Installation, openDatabase, writePrivateFile } from './installation.ts';
import type { Addresses } from './node.ts';

/** The demo of this data directory, made if the installation is empty; null when there is none and none is to be. */
export async function prepareDemo(
  config: Config,
  installation: Installation,
  addresses: Addresses,
  callUrl: string,
): Promise<DemoFile | null> {
  const known = readDemoFile(config.dataDir);
  const isCurrent = known?.baseUrl === addresses.baseUrl && known.publishableKey !== undefined;
  if (known !== null && (isCurrent || installation.urls.worker === null)) {
    const current = { ...known, ...addresses };
    if (JSON.stringify(current) !== JSON.stringify(known)) writeDemoFile(config, current);
    return current;
  }
  if (installation.urls.worker === null) return null;
  const worker = openDatabase(config, installation.urls.worker, { poolSize: 1, name: 'trellis demo' });
  try {
    if (known !== null) {
      // The page that tries visitors out has moved, and a publishable key is for one place.
      const moved = { ...known, ...addresses, ...(await renewDemoKey(worker, known, addresses.baseUrl)) };
      writeDemoFile(config, moved);
      return moved;
    }
    if (!(await isWithoutOrganizations(worker))) return null;
    const demo = await seedDemo(worker, addresses, callUrl);
    writeDemoFile(config, demo);
    return demo;
  } finally {
    await worker.close();
  }
}

/** A demo whose organization is gone has no key; that is no reason not to serve. */
async function renewDemoKey(
  worker: Database,
  { siteId }: DemoFile,
  baseUrl: string,
): Promise<Pick<DemoFile, 'publishableKey'>> {
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
