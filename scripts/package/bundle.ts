/**
 * Bundles the server and the packages it uses into one folder of JavaScript. Packages with native code stay dependencies. The output is
 * not minified, so that stack traces and profiles have the names of the sources.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

/** Packages that are not bundled: one with native code, and one that imports a module that only it can name. */
export const external = ['sharp', 'file-type'] as const;

/** `import(name)`, which no bundler can resolve; but not the declaration of a method. */
const computedImport = /(?<![.\w$])import\((?:\s|\/\*.*?\*\/)*[\w$.]+\s*\)(?!\s*\{)/;

/** A package of which the server serves a part of one file (`contract/documentation/scalar-script.ts`). */
const servedPackage = '@scalar/fastify-api-reference';

/** Bundles `packages/server/src/main.ts` and the programs that it starts into the folder. @throws Error for any warning */
export async function bundleServer(root: string, folder: string): Promise<void> {
  await using bundle = await rolldown({
    input: { main: join(root, 'packages/server/src/main.ts') },
    platform: 'node',
    external: [...external],
    plugins: [placeFiles(root)],
    onLog: (level, log, handle) => {
      // Such comments are for other bundlers.
      if (level === 'warn' && log.code !== 'INVALID_ANNOTATION') throw new Error(log.message);
      handle(level, log);
    },
  });
  await bundle.write({ dir: folder, format: 'esm' });
}

/**
 * Keeps the meaning of `import.meta.url` in our sources, which find files by it: those of the package are where they are in the clone, and a program that
 * runs in a process or thread of its own becomes an entry of the bundle. All files of the bundle are in one folder beside `packages`.
 */
function placeFiles(root: string): Plugin {
  return {
    name: 'place-files',
    async buildStart() {
      const source = await readFile(fileURLToPath(import.meta.resolve(servedPackage)));
      this.emitFile({ type: 'asset', fileName: 'scalar.js', source });
    },
    transform(code, id) {
      if (computedImport.test(code))
        throw new Error(`${id} computes what it imports, so it cannot be bundled`);
      if (!id.startsWith(join(root, 'packages/')) || !code.includes('import.meta')) return null;
      const placed = code
        .replace(`import.meta.resolve('${servedPackage}')`, "new URL('./scalar.js', import.meta['url'])")
        .replaceAll(/new URL\('(?:\.\/)?([\w-]+)\.ts', import\.meta\.url\)/g, (_, name: string) => {
          this.emitFile({ type: 'chunk', id: join(dirname(id), `${name}.ts`), fileName: `${name}.js` });
          return `new URL('./${name}.js', import.meta['url'])`;
        })
        .replaceAll('import.meta.url', `new URL('../${relative(root, id)}', import.meta['url']).href`);
      return { code: placed, map: null };
    },
  };
}
