/**
 * A real Chromium for tests: the machine's own, or one from npm, which needs no rights, or from Debian. Without any
 * the tests fail and say so.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const execute = promisify(execFile);

const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Carries the browser itself, for Linux on x64 (MIT; 70 MB). */
const carrier = { name: '@sparticuz/chromium', version: '153.0.0' } as const;

interface Found {
  readonly executablePath: string;
  /** More variables of its environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a browser. @throws Error with one sentence where none can be had */
export async function launchChromium(): Promise<Browser> {
  const failures: string[] = [];
  for (const [where, find] of [
    ['PATH', findInPath],
    ['npm', findInPackage],
    ['apt-get', installFromDebian],
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
    `These tests need Chromium, and none can be had here (${failures.join('; ')}). Install one, for example with "apt-get install chromium".`,
  );
}

async function launch({ executablePath, env }: Found): Promise<Browser> {
  const options = { executablePath, env: { ...process.env, ...env } };
  // Chromium refuses its sandbox to root.
  if (process.getuid?.() === 0) return chromium.launch({ ...options, chromiumSandbox: false });
  try {
    return await chromium.launch({ ...options, chromiumSandbox: true });
  } catch (error) {
    // Containers often forbid what the sandbox is made of. The only pages that are opened are ours.
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

/** From the package, whether it is installed here or has to be fetched. It is unpacked once for each user. */
async function findInPackage(): Promise<Found | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const folder = join(tmpdir(), `trellis-chromium-${carrier.version}-${userInfo().uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const executablePath = join(folder, 'chromium');
  const libraries = join(folder, 'al2023', 'lib');
  if (!existsSync(join(folder, 'complete'))) {
    const module = pathToFileURL(await locatePackage(folder)).href;
    // In a process of its own: it unpacks into the folder for temporary files, whatever is there already.
    const script = `import chromium, { inflate } from '${module}';
      await chromium.executablePath();
      await inflate(new URL('../bin/al2023.tar.br', '${module}').pathname);`;
    await execute(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: folder },
    });
    await writeFile(join(folder, 'complete'), '');
  }
  // The libraries that come with it are for machines that lack them; elsewhere the machine's own fit better.
  const { stdout } = spawnSync('ldd', [executablePath], { encoding: 'utf8' });
  const lacks = (stdout ?? '').includes('not found');
  return { executablePath, env: lacks ? { LD_LIBRARY_PATH: libraries } : {} };
}

/** The package's main file. */
async function locatePackage(folder: string): Promise<string> {
  try {
    return createRequire(import.meta.url).resolve(carrier.name);
  } catch {
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save'];
    await execute('npm', [...words, `${carrier.name}@${carrier.version}`], { cwd: folder });
    return createRequire(join(folder, 'package.json')).resolve(carrier.name);
  }
}

/** As root on Debian or what descends from it. */
async function installFromDebian(): Promise<Found | null> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await execute('apt-get', ['update'], { env });
  await execute('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env });
  return findInPath();
}
