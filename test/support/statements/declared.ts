/**
 * The statements that the server declares: every object of its source with a `name` and a `text`, as it is made at run time. A hook
 * marks the places when the modules are loaded, so a declaration in a new file is found as well. Import this before any module of the server.
 */
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Statement } from '@trellis/server/kernel/database/batch.ts';
import ts from 'typescript';

const source = fileURLToPath(new URL('../../../packages/server/src/', import.meta.url));

/** The statements made at each place where the source declares one, by their names. Places are `file:number`, counted from 1 within a file. */
export const declared = new Map<string, Map<string, Statement>>();

const noteName = '__noteStatement';
Object.assign(globalThis, {
  [noteName]: (place: string, statement: Statement): Statement => {
    declared.get(place)?.set(statement.name, statement);
    return statement;
  },
});

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith('file:') || loaded.source === undefined || loaded.source === null) return loaded;
    const file = relative(source, fileURLToPath(url));
    if (file.startsWith('..') || !file.endsWith('.ts')) return loaded;
    return { ...loaded, source: mark(file, String(loaded.source)) };
  },
});

/** The source with a call around each declaration of a statement. */
function mark(file: string, text: string): string {
  const ends = declarationsIn(text);
  let marked = '';
  let end = 0;
  for (const [at, insertion] of ends
    .flatMap(({ from, to }, index): [number, string][] => {
      const place = `${file}:${index + 1}`;
      declared.set(place, new Map());
      return [
        [from, `${noteName}(${JSON.stringify(place)}, `],
        [to, ')'],
      ];
    })
    .sort(([left], [right]) => left - right)) {
    marked += text.slice(end, at) + insertion;
    end = at;
  }
  return marked + text.slice(end);
}

/** Where a text declares statements: object literals with the properties `name` and `text`. */
function declarationsIn(text: string): { readonly from: number; readonly to: number }[] {
  if (!/\btext\b/.test(text) || !/\bname\b/.test(text)) return [];
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest);
  const found: { from: number; to: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const names = node.properties.map(({ name }) =>
        name !== undefined && ts.isIdentifier(name) ? name.text : '',
      );
      if (names.includes('name') && names.includes('text'))
        found.push({ from: node.getStart(file), to: node.end });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Loads all modules of the server that declare statements, so that their places are known. */
export async function loadDeclarations(): Promise<void> {
  for (const file of globSync('**/*.ts', { cwd: source }))
    if (declarationsIn(readFileSync(source + file, 'utf8')).length > 0) await import(source + file);
}
