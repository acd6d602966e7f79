/** Installs packages of Debian for tests. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs packages as root on Debian or a system based on it; those that are installed stay as they are.
 * @returns whether this is such a system
 */
export async function installFromDebian(packages: readonly string[]): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  // Test files run concurrently, but apt-get cannot.
  await promisify(execFile)('flock', [join(tmpdir(), 'trellis-apt-get.lock'), 'sh', '-c', install], { env });
  return true;
}
