/** Programs from Debian's packages for tests. */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Name of the machine's architecture in the folders of libraries. */
export const architecture = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';

/** The environment in which the programs are found, or a sentence that says why they are missing. */
export type DebianPrograms = { readonly environment: NodeJS.ProcessEnv } | { readonly missing: string };

/**
 * Finds programs on this machine; or, for root, unpacks those of Debian into a temporary folder without installing them, so that no
 * service is started.
 * @param programs names of all programs that the test starts
 */
export async function findDebianPrograms(
  programs: readonly string[],
  packages: readonly string[],
): Promise<DebianPrograms> {
  const isMissing = (name: string) => findProgram(name, process.env.PATH) === null;
  if (!programs.some(isMissing)) return { environment: process.env };
  const missing = `not on this machine: ${programs.filter(isMissing).join(', ')} (apt-get install ${packages.join(' ')})`;
  if (!hasDebianPackages()) return { missing };
  try {
    return { environment: environmentOf(await unpack(packages)) };
  } catch (error) {
    return { missing: `${missing}; Debian's: ${String((error as Error).message).split('\n')[0]}` };
  }
}

/**
 * Installs packages as root on Debian or a system based on it; those that are installed stay as they are.
 * @returns whether this is such a system
 */
export async function installFromDebian(packages: readonly string[]): Promise<boolean> {
  if (!hasDebianPackages()) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runAlone(
    `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`,
    tmpdir(),
    env,
  );
  return true;
}

function hasDebianPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** Test files run concurrently, but apt-get cannot. */
async function runAlone(script: string, cwd: string, env = process.env): Promise<void> {
  await execute('flock', [join(tmpdir(), 'trellis-apt-get.lock'), 'sh', '-ec', script], { cwd, env });
}

/** The path of a program; null where it is missing. */
export function findProgram(name: string, path: string | undefined): string | null {
  const folders = [...(path ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function environmentOf(root: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: [
      ...['sbin', 'bin', 'lib/postgresql/15/bin'].map((folder) => join(root, 'usr', folder)),
      process.env.PATH,
    ].join(delimiter),
    LD_LIBRARY_PATH: [`usr/lib/${architecture}`, `lib/${architecture}`, `usr/lib/${architecture}/ceph`]
      .map((folder) => join(root, folder))
      .join(delimiter),
    PYTHONPATH: `${root}/usr/lib/python3/dist-packages`,
  };
}

/** Unpacks packages and those of their dependencies that are not installed, once per machine; returns the folder. */
async function unpack(packages: readonly string[]): Promise<string> {
  const folder = join(tmpdir(), `trellis-debian-${packages.join('-')}`);
  const work = await mkdtemp(`${folder}-`);
  const script = `test -e ${folder}/complete && exit
    apt-get update
    apt-get install -y --download-only --no-install-recommends -o Dir::Cache::archives=${work} ${packages.join(' ')}
    for file in *.deb; do dpkg -x $file ${folder}; done
    touch ${folder}/complete`;
  try {
    await runAlone(script, work);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return folder;
}
