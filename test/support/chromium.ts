/**
 * Provides a real Chromium for tests: the installed one, one from npm, or one from Debian. Without any, the tests fail with
 * an explanation.
 */
import { execFile, spawnSync } from 'node:child_process';
import { access, constants, mkdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { installFromDebian } from './debian.ts';

const execute = promisify(execFile);

const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** The npm package with the browser, for Linux on x64 (MIT; 70 MB). */
const browserPackage = { name: '@sparticuz/chromium', version: '153.0.0' } as const;

interface Found {
  readonly executablePath: string;
  /** Additional environment variables. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a browser. @throws Error that says why none is available */
export async function launchChromium(): Promise<Browser> {
  const failures: string[] = [];
  for (const [where, find] of [
    ['PATH', findInPath],
    ['npm', findInPackage],
    ['apt-get', findInDebian],
  ] as const) {
    try {
      const found = await find();
      if (found !== null) return await launch(found);
      failures.push(`${where}: nothing there`);
    } catch (error) {
      failures.push(`${where}: ${String((error as Error).message).split('\n')[0]}`);
    }
  }
  throw new Error(
    `These tests need Chromium, and none is available here (${failures.join('; ')}). Install one, for example with "apt-get install chromium".`,
  );
}

async function launch({ executablePath, env }: Found): Promise<Browser> {
  const options = { executablePath, env: { ...process.env, ...env } };
  // Chromium refuses its sandbox to root.
  if (process.getuid?.() === 0) return chromium.launch({ ...options, chromiumSandbox: false });
  try {
    return await chromium.launch({ ...options, chromiumSandbox: true });
  } catch (error) {
    // Containers often forbid the system calls of the sandbox. Only pages of this project are opened.
    if (!/sandbox/i.test(String(error))) throw error;
    return chromium.launch({ ...options, chromiumSandbox: false });
  }
}

async function findInPath(): Promise<Found | null> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const program of programs) {
      const executablePath = join(folder, program);
      try {
        await access(executablePath, constants.X_OK);
        return { executablePath, env: {} };
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}

/** Finds the browser in the npm package, which is downloaded if necessary. It is unpacked once for each user. */
async function findInPackage(): Promise<Found | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const folder = join(tmpdir(), `trellis-chromium-${browserPackage.version}-${userInfo().uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const executablePath = join(folder, 'chromium');
  const libraries = join(folder, 'al2023', 'lib');
  // Test files run concurrently: one that started the browser while another one unpacks it would find half of it.
  await execute('flock', [`${folder}.lock`, 'sh', '-c', downloadAndUnpack], {
    cwd: folder,
    // The package unpacks into the folder for temporary files.
    env: { ...process.env, NODE: process.execPath, SCRIPT: unpackingScript, TMPDIR: folder },
  });
  // The libraries of the package are only used on machines that lack them.
  const { stdout } = spawnSync('ldd', [executablePath], { encoding: 'utf8' });
  const lacks = (stdout ?? '').includes('not found');
  return { executablePath, env: lacks ? { LD_LIBRARY_PATH: libraries } : {} };
}

/** Run in the folder of the browser. The package takes what an interrupted run has left for the whole browser, so that goes first. */
const downloadAndUnpack = `test -e complete || {
  rm -rf chromium al2023 &&
  echo '{"private":true}' > package.json &&
  npm install --no-audit --no-fund --ignore-scripts --no-save ${browserPackage.name}@${browserPackage.version} &&
  "$NODE" --input-type=module --eval "$SCRIPT" &&
  touch complete
}`;

const unpackingScript = `
  import { createRequire } from 'node:module';
  import { pathToFileURL } from 'node:url';
  const main = pathToFileURL(createRequire(process.cwd() + '/').resolve('${browserPackage.name}'));
  const { default: chromium, inflate } = await import(main);
  await chromium.executablePath();
  await inflate(new URL('../bin/al2023.tar.br', main).pathname);`;

/** Installs the browser as root on Debian or a system based on it. */
async function findInDebian(): Promise<Found | null> {
  return (await installFromDebian(['chromium'])) ? findInPath() : null;
}
