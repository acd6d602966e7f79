#!/usr/bin/env node
// What all npm scripts of a clone run. A fresh clone has only the machine's Node.js, so this file is plain JavaScript for any
// Node.js from 20 on, without packages. It installs missing packages, then launches the program (launcher.mjs).
//
//   node scripts/run.mjs [args…]                   the command line, packages/server/src/main.ts
//   node scripts/run.mjs --script FILE [args…]     a script of this repository, with the development tools installed

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FORWARDED_SIGNALS, fail, launch } from './launcher.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.trellis-stamp.json');
const installLock = join(root, '.install.lock');
const HEARTBEAT_MILLISECONDS = 5_000;
const STALE_MILLISECONDS = 60_000;

await main(process.argv.slice(2));

async function main(words) {
  const isScript = words[0] === '--script';
  if (isScript && words[1] === undefined)
    fail('--script needs a file, for example --script scripts/test.ts', 2);
  const program = isScript ? resolve(root, words[1]) : join(root, 'packages', 'server', 'src', 'main.ts');
  await installIfMissing(isScript);
  launch(program, isScript ? words.slice(2) : words);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

// Installing

async function installIfMissing(needsDevelopment) {
  const lockText = readFileSync(join(root, 'package-lock.json'));
  const lockHash = createHash('sha256').update(lockText).digest('hex');
  const isInstalled = (development) => {
    const stamp = readJson(stampFile);
    if (stamp?.lockHash === lockHash && (stamp.dev || !development)) return true;
    // The packages may have been installed by npm directly, which is equally valid.
    if (!holdsPackages(JSON.parse(lockText), development)) return false;
    writeStamp(lockHash, development || holdsPackages(JSON.parse(lockText), true));
    return true;
  };
  if (isInstalled(needsDevelopment)) return;

  await acquireInstallLock();
  try {
    if (isInstalled(needsDevelopment)) return;
    // `npm ci` removes all packages first. When only the development tools are to be added, a server may be running
    // on the others, so those are left alone.
    const addsOnly = needsDevelopment && isInstalled(false);
    await runNpm([
      ...(addsOnly ? ['install', '--no-save'] : ['ci']),
      needsDevelopment ? '--include=dev' : '--omit=dev',
      '--include=optional', // Node 24 and PostgreSQL are packages for one platform each, which makes them optional
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
    ]);
    writeStamp(lockHash, needsDevelopment);
  } finally {
    rmSync(installLock, { recursive: true, force: true });
  }
}

/** Whether npm's own record of node_modules has all packages of the lock file that are needed here. */
function holdsPackages(lock, development) {
  const installed = readJson(join(modules, '.package-lock.json'))?.packages;
  if (!installed) return false;
  return Object.entries(lock.packages).every(([folder, wanted]) => {
    if (folder === '' || (wanted.dev && !development)) return true;
    const found = installed[folder];
    if (found !== undefined) {
      return (
        found.version === wanted.version &&
        found.integrity === wanted.integrity &&
        existsSync(join(root, folder))
      );
    }
    return (wanted.optional || wanted.devOptional) && !isForThisPlatform(wanted);
  });
}

function isForThisPlatform({ os, cpu, libc }) {
  return (
    libc === undefined && os?.includes(process.platform) === true && cpu?.includes(process.arch) === true
  );
}

function writeStamp(lockHash, dev) {
  try {
    const draft = `${stampFile}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify({ lockHash, dev })}\n`);
    renameSync(draft, stampFile);
  } catch {
    // The packages belong to another user: they are complete, and will be checked again the next time.
  }
}

async function runNpm(words) {
  process.stderr.write('Installing packages (once; up to a minute, depending on the network) …\n');
  // Under `npm start` the path begins with node_modules/.bin, whose `node` npm is about to replace.
  const path = (process.env.PATH ?? '').split(delimiter);
  const PATH = path.filter((folder) => !folder.endsWith(join('node_modules', '.bin'))).join(delimiter);
  const child = spawn('npm', words, {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32', // npm is npm.cmd there
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  let interruption = null;
  const interrupt = (signal) => {
    interruption = signal;
    child.kill(signal);
  };
  for (const signal of FORWARDED_SIGNALS) process.on(signal, interrupt);
  const heartbeat = setInterval(beat, HEARTBEAT_MILLISECONDS);
  const problem = await new Promise((done) => {
    child.once('error', (error) => done(error.code === 'ENOENT' ? 'npm was not found' : error.message));
    child.once('close', (code, signal) =>
      done(code === 0 ? null : `npm ended with ${signal ?? `exit code ${code}`}`),
    );
  });
  clearInterval(heartbeat);
  for (const signal of FORWARDED_SIGNALS) process.off(signal, interrupt);
  if (problem === null) return;
  rmSync(installLock, { recursive: true, force: true });
  if (interruption !== null) process.exit(128 + constants.signals[interruption]);
  fail(`${output}\nThe packages could not be installed: ${problem}. To try by hand: npm ${words.join(' ')}`);
}

/** Acquires the lock of the installation in this clone. It is a folder, because only one process can create it. */
async function acquireInstallLock() {
  const ownerFile = join(installLock, 'owner');
  let hasSaidSo = false;
  for (;;) {
    try {
      mkdirSync(installLock);
      writeFileSync(ownerFile, String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') {
        fail(
          `Packages are missing, and ${root} cannot be written (${error.code}). Run "npm ci" as its owner.`,
        );
      }
    }
    const owner = readJson(ownerFile);
    if (isAbandoned(owner)) {
      const aside = `${installLock}.${process.pid}`;
      try {
        renameSync(installLock, aside);
        // Another run may have replaced the lock first, so that the moved folder is its new lock.
        if (readJson(join(aside, 'owner')) === owner) rmSync(aside, { recursive: true, force: true });
        else renameSync(aside, installLock);
      } catch {
        // Moved or acquired by another run in the meantime.
      }
      continue;
    }
    if (!hasSaidSo)
      process.stderr.write(`Waiting for the installation that is under way (process ${owner}) …\n`);
    hasSaidSo = true;
    await new Promise((done) => setTimeout(done, 200));
  }
}

function beat() {
  try {
    utimesSync(installLock, new Date(), new Date());
  } catch {
    // The lock was removed by hand; the installation continues.
  }
}

function isAbandoned(owner) {
  try {
    if (Date.now() - statSync(installLock).mtimeMs > STALE_MILLISECONDS) return true;
    if (owner === null) return false; // just made, or removed
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
