/** A copy of the product in a folder of its own, which a test may change. */
import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Makes one. @param further what it has besides the packages and `sql`. @returns its folder, which the test removes */
export async function copyProduct(further: readonly string[]): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'trellis-copy-'));
  const isSource = (path: string) => !['node_modules', 'dist'].includes(basename(path));
  for (const part of ['packages', 'sql', ...further])
    await cp(join(root, part), join(copy, part), { recursive: true, filter: isSource });
  // Packages of others are those of the product; its own ones are the copies.
  await mkdir(join(copy, 'node_modules/@trellis'), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@trellis' && !name.startsWith('.'))
      await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  for (const name of await readdir(join(copy, 'packages')))
    await symlink(join(copy, 'packages', name), join(copy, 'node_modules/@trellis', name));
  return copy;
}
