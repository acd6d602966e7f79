/** Reads TOML (1.0 and 1.1) with numbers, dates and flags as the texts that are written, which ordinary parsers convert. */
import { type AST, parseTOML } from 'toml-eslint-parser';

type Values = Record<string, unknown>;

/** The values of a document. @throws Error with `index` for invalid TOML; RangeError for deep nesting */
export function readToml(text: string): Values {
  const [{ body }] = parseTOML(text, { tomlVersion: '1.1' }).body;
  const root: Values = {};
  for (const node of body) {
    if (node.type === 'TOMLKeyValue') assign(text, root, node);
    else {
      const table = descend(root, node.resolvedKey);
      for (const pair of node.body) assign(text, table, pair);
    }
  }
  return root;
}

function assign(text: string, table: Values, { key, value }: AST.TOMLKeyValue): void {
  const names = key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
  set(descend(table, names.slice(0, -1)), names.at(-1) ?? '', readNode(text, value));
}

/** The table at a path, made where it is missing. A number is an index of an array of tables. */
function descend(from: Values, path: readonly (string | number)[]): Values {
  let place: Values | unknown[] = from;
  for (const [index, key] of path.entries()) {
    const made = typeof path[index + 1] === 'number' ? [] : {};
    const known: unknown = Object.hasOwn(place, key) ? (place as Values)[key] : undefined;
    const next: unknown = known ?? made;
    if (known === undefined) set(place, key, next);
    place = next as Values | unknown[];
  }
  return place as Values;
}

/** Also `__proto__` is a key like any other. */
function set(place: object, key: string | number, value: unknown): void {
  Object.defineProperty(place, key, { value, enumerable: true, writable: true, configurable: true });
}

function readNode(text: string, node: AST.TOMLContentNode): unknown {
  if (node.type === 'TOMLArray') return node.elements.map((element) => readNode(text, element));
  if (node.type === 'TOMLInlineTable') {
    const table: Values = {};
    for (const pair of node.body) assign(text, table, pair);
    return table;
  }
  return node.kind === 'string' ? node.value : text.slice(...node.range);
}
