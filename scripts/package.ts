/**
 * Makes the npm packages: `npm run package` writes `trellis-VERSION.tgz`, which serves without a clone, and
 * `trellis-client-VERSION.tgz`, the client, into this folder or into the one that is given.
 * docs/decisions/0010-code-base-and-package.md says what is in the first one and why.
 */
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from '@trellis/console/build/build.ts';
import packageFile from '../package.json' with { type: 'json' };
import embeddedPostgres from '../packages/embedded-postgres/package.json' with { type: 'json' };
import { bundleServer, external } from './package/bundle.ts';
import { packClient } from './package/client.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** What the program reads at run time, and what people read. */
const files = [
  'sql',
  'packages/agent/src',
  'packages/server/src/features/demo/content',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
];

const target = resolve(process.argv[2] ?? root);
const folder = await mkdtemp(join(tmpdir(), 'trellis-package-'));
try {
  await bundleServer(root, join(folder, 'dist'));
  await buildConsole(join(folder, 'console'));
  for (const file of files) await cp(join(root, file), join(folder, file), { recursive: true });
  await mkdir(join(folder, 'bin'));
  await copyFile(join(root, 'scripts/package/bin.mjs'), join(folder, 'bin/trellis.mjs'));
  await copyFile(join(root, 'scripts/launcher.mjs'), join(folder, 'bin/launcher.mjs'));
  await chmod(join(folder, 'bin/trellis.mjs'), 0o755);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await describePackage(), null, 2)}\n`);
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), await collectLicenses());
  const packed = execFileSync('npm', ['pack', '--pack-destination', target, '--silent'], { cwd: folder });
  process.stdout.write(`${join(target, packed.toString().trim())}\n`);
  process.stdout.write(`${await packClient(root, target)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The package.json of the published package. */
async function describePackage(): Promise<object> {
  const { name, version, description, license, type, engines, optionalDependencies } = packageFile;
  const versions = external.map(async (dependency) => [dependency, await installedVersion(dependency)]);
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { trellis: 'bin/trellis.mjs' },
    dependencies: Object.fromEntries(await Promise.all(versions)),
    optionalDependencies: { ...optionalDependencies, ...embeddedPostgres.optionalDependencies },
  };
}

async function installedVersion(name: string): Promise<string> {
  return JSON.parse(await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/** The licenses of all packages that the bundles may contain: those that are installed for more than development. */
async function collectLicenses(): Promise<string> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<
      string,
      { version: string; license?: string; dev?: boolean; optional?: boolean; link?: boolean }
    >;
  };
  const texts = Object.entries(packages)
    .filter(
      ([path, found]) => path.startsWith('node_modules/') && !(found.dev || found.optional || found.link),
    )
    .map(async ([path, { version, license = '' }]) => {
      const names = (await readdir(join(root, path))).filter((name) => /^(licen[cs]e|notice)/i.test(name));
      const contents = names.map((name) => readFile(join(root, path, name), 'utf8'));
      const head = `${path.replace(/^.*node_modules\//, '')} ${version} (${license})`;
      return [head, ...(await Promise.all(contents))].join('\n\n');
    });
  return (await Promise.all(texts)).join(`\n\n${'-'.repeat(80)}\n\n`);
}
