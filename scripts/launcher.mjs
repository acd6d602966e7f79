// The parent process of the program `trellis`, in a clone and in the published package: runs it on the Node.js 24 that comes with
// the packages, forwards signals, and starts a server that died again. It is started on the machine's Node.js, so it is plain JavaScript for any
// Node.js from 20 on, without packages.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { basename, join } from 'node:path';

export const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Exit code of a server that met an error nobody expects, as in sysexits.h; see packages/server/src/commands/serve/run.ts. */
const CRASHED = 70;
/** What a server tells: options may precede the word `serve`, which may also be the name of something. See the same file. */
const SERVING = 'serving';
/** Pause before a server that died is started again: doubled from first to last, and reset when it has run for long enough. */
const PAUSE_MILLISECONDS = { first: 1_000, last: 60_000, reset: 300_000 };

if (versionNumber(process.versions.node) < 20) {
  fail(
    `Trellis needs Node.js 20 or later; this is ${process.version}. Install a newer one from https://nodejs.org.`,
  );
}

export function fail(message, code = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function versionNumber(version) {
  const [major, minor] = version.split('.').map(Number);
  return major + minor / 1000;
}

/** Runs the program with the given words, and ends with its exit code. */
export function launch(program, words) {
  const packageFolders = findPackageFolders();
  const node = findNode(packageFolders);
  // A folder that cannot be written is no error: Node.js then compiles at each start.
  const cache = packageFolders[0] && join(packageFolders[0], '.cache', 'trellis-compile');
  let child = null;
  let pause = PAUSE_MILLISECONDS.first;
  let waiting = null;
  let stopSignal = null;
  let isServer = false;
  const stop = (signal, isForwarded) => {
    stopSignal = signal;
    if (waiting !== null) process.exit(128 + constants.signals[signal]);
    if (isForwarded) child?.kill(signal);
  };
  for (const signal of FORWARDED_SIGNALS) {
    // Ctrl-C reaches the child by itself, and a second SIGINT would end it immediately. The handler is still needed:
    // without one, this process would end before the child.
    process.on(signal, () => stop(signal, signal !== 'SIGINT' || !isInForeground()));
  }
  // npm sends SIGTERM to the shell that runs this process. If the shell does not forward it, or npm is killed, the only
  // sign is another parent process.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      stop('SIGTERM', true);
    }, 500);
  }
  const start = () => {
    waiting = null;
    const startedAt = Date.now();
    child = spawn(node, ['--disable-warning=ExperimentalWarning', program, ...words], {
      // The fourth is the channel over which a server says that it is one, and sees that this process has ended.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...(cache && { NODE_COMPILE_CACHE: cache }), ...process.env },
    });
    child.once('error', (error) => fail(`${node} does not run here: ${error.message}`));
    child.on('message', (message) => {
      isServer ||= message === SERVING;
    });
    // Unlike `exit` it comes after the last message.
    child.once('close', (code, signal) => {
      // What ends by itself has said why: a wrong configuration would only be wrong again.
      const hasDied = signal !== null || code === CRASHED || code > 128;
      if (stopSignal !== null || !isServer || !hasDied) {
        process.exit(signal === null ? code : 128 + constants.signals[signal]);
      }
      if (Date.now() - startedAt > PAUSE_MILLISECONDS.reset) pause = PAUSE_MILLISECONDS.first;
      process.stderr.write(
        `The server died (${signal ?? `exit code ${code}`}) and is started again in ${pause / 1_000} s.\n`,
      );
      waiting = setTimeout(start, pause);
      pause = Math.min(2 * pause, PAUSE_MILLISECONDS.last);
    });
  };
  start();
}

/** The folders in which the packages of this installation may be, the nearest first. */
function findPackageFolders() {
  const folders = createRequire(import.meta.url).resolve.paths('any-package');
  return folders.filter((folder) => basename(folder) === 'node_modules' && existsSync(folder));
}

function findNode(packageFolders) {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const pinned = packageFolders
    .map((folder) => join(folder, `node-${system}-${process.arch}`, 'bin', `node${suffix}`))
    .find(existsSync);
  if (pinned !== undefined) return pinned;
  if (versionNumber(process.versions.node) >= 24.007) return process.execPath;
  fail(
    `Trellis runs on Node.js 24, whose package (node-${system}-${process.arch}) is not installed or does not exist for ` +
      `this system, and this Node.js, ${process.version}, is older than 24.7, the first one that hashes passwords (argon2). Install it from https://nodejs.org and try again.`,
  );
}

/** Whether signals of the terminal (Ctrl-C) reach this process, and so the child as well. */
function isInForeground() {
  if (process.platform !== 'linux')
    return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  // After the name, in parentheses: state, parent, process group, session, terminal, its foreground process group.
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[2] === fields[5];
}
