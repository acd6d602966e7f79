/**
 * Builds the console into a folder that is named by the hash of its sources, so that it is built once for each state of them.
 * The server starts it as a program of its own, since bundling would block the server's event loop.
 *
 *   node build.ts FOLDER [LIST]
 *
 * LIST is a module that replaces `resources/list.ts` of the schema, for tests with further resources.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';
import { refuseCircles, splitByArea } from './chunks.ts';
import { noncePlaceholder, pageFiles } from './page.ts';
import { compileValidators } from './validators.ts';
import { writePages } from './write-pages.ts';

/** Path below which the console is served. */
const base = '/console/';
const root = fileURLToPath(new URL('../', import.meta.url));
const ownList = fileURLToPath(import.meta.resolve('@trellis/schema/resources/list.ts'));

/** Uses another list of resources than the product's; that list may import the product's. */
function replaceList(list: string): Plugin {
  return {
    name: 'replace-list',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (importer === undefined || importer === list) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      return resolved?.id === ownList ? list : null;
    },
  };
}

const declarations = fileURLToPath(new URL('.', import.meta.resolve('@trellis/schema/resources/list.ts')));

/** Members of declarations that only documents read, whose text is one literal. */
const documented =
  /\b(description|furtherRights|removalRights|creation|removal|response):\s*(?:'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/g;

/** The summary of an action, before its description; a field may have the same name. */
const actionSummary = /\bsummary: '(?:[^'\\\n]|\\.)*'(?=,\s*description:)/g;

/** Which fields an example of a record has. */
const exampleFields = /\bexampleFields: \[[^\]]*\],?/g;

/** The example of a filter, which stands behind its kind; forms show those of fields. */
const filterExample =
  /(\bkind: '(?:choice|boolean|exists|integer|text|contains|reference|bound|via)',[^{}]*?)\bexample: '(?:[^'\\\n]|\\.)*',?/g;

/**
 * Leaves out what declarations say for the documents of the API: forms have their own help, and every first load would carry it. Something is
 * left, because declarations are checked where they are loaded. German names of fields stay, one of which is that of `description`.
 */
function omitDescriptions(): Plugin {
  return {
    name: 'omit-descriptions',
    enforce: 'pre',
    transform: (code, id) =>
      id.startsWith(declarations) && !id.endsWith('/german.ts')
        ? {
            code: code
              .replaceAll(documented, "$1: 'Left out.'")
              .replaceAll(actionSummary, "summary: ''")
              .replaceAll(exampleFields, '')
              .replaceAll(filterExample, '$1'),
            map: null,
          }
        : null,
  };
}

const entities = 'decode-named-character-reference';

/** What both builds have: one that says what each page needs, and the one that is served. */
const shared = {
  root,
  base,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  html: { cspNonce: noncePlaceholder },
  // The declarations stand in another package; everything is resolved as Node does.
  resolve: {
    dedupe: ['react', 'react-dom'],
    // Its form for browsers needs the DOM, which workers do not have.
    alias: { [entities]: fileURLToPath(import.meta.resolve(entities)) },
  },
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    target: 'es2023',
    // Browsers that know this target know module preloading.
    modulePreload: { polyfill: false },
    // Inlined images and fonts would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_000,
    reportCompressedSize: false,
    rolldownOptions: {
      onLog: (level, log, handle) => {
        // Marks of React's servers in packages, which mean nothing in a browser.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
} satisfies InlineConfig;

/** Builds into a folder beside the target, which appears complete or not at all. @public Called by a process of its own. */
export async function buildConsole(folder: string, list?: string): Promise<void> {
  const { declaredResources }: { readonly declaredResources: readonly Resource[] } = await import(
    list ?? ownList
  );
  const draft = `${folder}.draft-${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    const plugins = () => [
      omitDescriptions(),
      compileValidators(declaredResources.filter(({ portable }) => portable !== false)),
      ...(list === undefined ? [] : [replaceList(list)]),
    ];
    const sources = join(root, 'src');
    const first = await buildOnce({
      ...shared,
      plugins: plugins(),
      build: { ...shared.build, write: false, minify: false },
    });
    const codeSplitting = splitByArea(sources, first);
    const built = await buildOnce({
      ...shared,
      plugins: plugins(),
      build: {
        ...shared.build,
        outDir: draft,
        emptyOutDir: true,
        rolldownOptions: { ...shared.build.rolldownOptions, output: { codeSplitting } },
      },
    });
    refuseCircles(built);
    const html = await readFile(join(draft, 'index.html'), 'utf8');
    const pages = writePages(html, built, sources, base);
    await Promise.all(pageFiles.map((name, index) => writeFile(join(draft, name), pages[index] ?? '')));
    await rm(join(draft, 'index.html'));
    await compressAll(join(draft, 'assets'));
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function buildOnce(config: InlineConfig): Promise<Rolldown.RolldownOutput> {
  const built = await build(config);
  if (!('output' in built)) throw new Error('the console has one output');
  return built;
}

/** Writes the compressed forms of texts beside them. Fonts are compressed already. */
async function compressAll(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name));
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
      await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(content, quality));
      await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

if (import.meta.main) {
  const [folder, list] = process.argv.slice(2);
  if (folder === undefined) throw new Error('build.ts needs the folder to build into');
  await buildConsole(folder, list);
}
