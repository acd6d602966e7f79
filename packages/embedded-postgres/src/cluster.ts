/**
 * Creates the database cluster of a data directory with initdb, under a temporary name that is changed at the end: if the
 * first start is interrupted, there is either a complete cluster or none.
 */
import { spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  fchownSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { programPath } from './installation.ts';
import type { Placement } from './placement.ts';
import { serverEnvironment } from './server.ts';
import { writeState } from './state.ts';

/**
 * Creates the cluster if there is none yet: UTF-8, sorted by code point, with page checksums and password authentication.
 * @throws Error with the output of initdb, or if the existing cluster has another major version
 */
export async function ensureCluster(placement: Placement, log: (line: string) => void): Promise<void> {
  const { cluster, majorVersion, dataDirectory, state } = placement;
  if (existsSync(cluster)) {
    const found = Number(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'));
    if (found !== majorVersion) {
      throw new Error(
        `The database in ${cluster} was created by PostgreSQL ${found}, but version ${majorVersion} is installed. Make a ` +
          'backup with the earlier release and restore it with this one.',
      );
    }
  } else {
    log(`creating a database in ${cluster} with PostgreSQL ${majorVersion}`);
    const problem = await initialize(placement, 'C.UTF-8');
    if (problem?.includes('invalid locale name')) {
      log('this system has no locale C.UTF-8, so letters outside ASCII are compared without regard to case');
      const secondProblem = await initialize(placement, 'C');
      if (secondProblem !== null) throw new Error(secondProblem);
    } else if (problem !== null) throw new Error(problem);
  }
  if (!state.initialized) {
    state.initialized = true;
    writeState(dataDirectory, state);
  }
}

/** @returns null, or why it failed */
async function initialize(placement: Placement, locale: string): Promise<string | null> {
  const { account, cluster, installation, majorVersion, state } = placement;
  const draft = `${cluster}.new`;
  const passwordFile = `${cluster}.password`;
  rmSync(draft, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(draft, { mode: 0o700 });
  if (account !== undefined) chownSync(draft, account.uid, account.gid);
  try {
    const descriptor = openSync(passwordFile, 'wx', 0o600);
    if (account !== undefined) fchownSync(descriptor, account.uid, account.gid);
    writeSync(descriptor, `${state.password}\n`);
    closeSync(descriptor);
    const words = ['-D', draft, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    words.push('--encoding=UTF8', `--locale=${locale}`, '--data-checksums', '--no-instructions');
    // Since version 17 the server has its own C.UTF-8, which does not depend on the system and its C library.
    if (majorVersion >= 17) words.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8');
    const { code, output } = await run(programPath(installation, 'initdb'), words, account);
    if (code !== 0) return `initdb failed (exit code ${code}):\n${output.trim()}`;
    renameSync(draft, cluster);
    return null;
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

function run(
  program: string,
  words: string[],
  account: Placement['account'],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      ...account,
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
