/** Packs the client (`packages/client`) as the npm package that programs install: compiled to JavaScript, with its types. */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import clientPackage from '../../packages/client/package.json' with { type: 'json' };

/**
 * Compiles and packs the client.
 * @param root folder of the clone
 * @param target folder that the archive is written to
 * @returns path of the archive
 */
export async function packClient(root: string, target: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-client-'));
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const project = join(root, 'packages/client/src/tsconfig.build.json');
    execFileSync(process.execPath, [compiler, '-p', project, '--outDir', join(folder, 'dist')]);
    await copyFile(join(root, 'packages/client/README.md'), join(folder, 'README.md'));
    await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    await writeFile(join(folder, 'package.json'), `${JSON.stringify(describeClient(), null, 2)}\n`);
    const packed = execFileSync('npm', ['pack', '--pack-destination', target, '--silent'], { cwd: folder });
    return join(target, packed.toString().trim());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The package.json of the archive. */
function describeClient(): object {
  const { name, version, description, license, type, engines } = clientPackage;
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    sideEffects: false,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    types: './dist/index.d.ts',
    files: ['dist'],
  };
}
