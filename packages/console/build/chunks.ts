/**
 * Which modules are loaded together. By itself the bundler makes a file for each set of pages that share a module: hundreds of them, each of
 * which costs a round trip. Here the pages that people come to one after the other are areas, and shared modules are grouped by the areas
 * that need them: whoever enters an area loads a few files, without modules that it does not need.
 */
import { join } from 'node:path';
import type { Rolldown } from 'vite';

type Chunk = Rolldown.OutputChunk;

/** The first page that most people see. What it shares with other areas is loaded with the entry of the console. */
const entryPages = 'app/entry-pages.ts';

/** By name, the modules whose import enters the other areas. */
const areas: Readonly<Record<string, readonly string[]>> = {
  home: ['app/home.ts'],
  // Run beside all pages behind the sign-in, once these are shown.
  services: ['pending/service.ts', 'live/service.ts'],
  // Lists and forms, and what must be there when the server cannot be reached.
  records: [
    'app/PlacePage.tsx',
    'fields/check-draft.ts',
    'lists/bulk/service.ts',
    'lists/bulk/BulkPanel.tsx',
    'ui/toasts/ToastArea.tsx',
    'pending/PendingButton.tsx',
    'pending/PendingDialog.tsx',
    'pending/SignOutDialog.tsx',
  ],
};

/** What other pages share is one file, except for modules of larger files, in bytes before minification. */
const largestCommon = 20_000;

/** @param first a build that splits by itself: only it says what each page needs once unused code is left out */
export function splitByArea(sources: string, first: Rolldown.RolldownOutput): Rolldown.CodeSplittingOptions {
  const names = nameGroups(
    sources,
    first.output.filter((output) => output.type === 'chunk'),
  );
  return {
    // What modules of a group need is in it, or in a group of more areas.
    includeDependenciesRecursively: false,
    groups: [{ debugName: 'areas', name: (id) => names.get(id) ?? null }],
  };
}

/** The group of each module that several imports need; what only one needs is in its own file. */
function nameGroups(sources: string, chunks: readonly Chunk[]): Map<string, string> {
  const groups = new Map<Chunk, string>();
  const first = reach(chunks, [findEntered(chunks, join(sources, entryPages))]);
  for (const [area, roots] of Object.entries(areas)) {
    const entered = roots.map((root) => findEntered(chunks, join(sources, root)));
    for (const chunk of reach(chunks, entered)) {
      const others = groups.get(chunk);
      groups.set(chunk, others === undefined ? area : `${others}-${area}`);
    }
  }
  for (const chunk of first) groups.set(chunk, groups.has(chunk) ? 'start' : 'entry');
  // With what it needs, however large: it would be loaded with it anyway, and the two files would import each other.
  const common = chunks.filter((chunk) => !groups.has(chunk) && chunk.code.length <= largestCommon);
  for (const chunk of reach(chunks, common)) if (!groups.has(chunk)) groups.set(chunk, 'common');
  const entries = chunks.filter(({ isEntry }) => isEntry);
  for (const chunk of reach(chunks, entries)) groups.set(chunk, 'start');
  return new Map(
    [...groups]
      .filter(([{ isDynamicEntry }]) => !isDynamicEntry)
      // The code that only the entry needs remains in a file of its own, which is read at the same time.
      .flatMap(([{ isEntry, moduleIds }, name]) =>
        moduleIds.filter((id) => !isEntry || id.endsWith('.css')).map((id) => [id, name] as const),
      ),
  );
}

/** The chunk of a module that is imported when it is needed. @throws Error when nothing imports it so */
function findEntered(chunks: readonly Chunk[], root: string): Chunk {
  const chunk = chunks.find(
    ({ facadeModuleId, isDynamicEntry }) => isDynamicEntry && facadeModuleId === root,
  );
  if (chunk === undefined) throw new Error(`nothing imports ${root} when it is needed`);
  return chunk;
}

/** The chunks, and all that they need before they run. */
export function reach(chunks: readonly Chunk[], roots: readonly Chunk[]): ReadonlySet<Chunk> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const reached = new Set(roots);
  // A set that grows is iterated to its end.
  for (const { imports } of reached)
    for (const name of imports) {
      const imported = byName.get(name);
      if (imported !== undefined) reached.add(imported);
    }
  return reached;
}

/** @throws Error for files that import each other: one of them would run before what it needs */
export function refuseCircles({ output }: Rolldown.RolldownOutput): void {
  const chunks = output.filter((one) => one.type === 'chunk');
  for (const chunk of chunks) {
    const needed = chunks.filter(({ fileName }) => chunk.imports.includes(fileName));
    if (reach(chunks, needed).has(chunk)) throw new Error(`${chunk.fileName} imports itself by others`);
  }
}
