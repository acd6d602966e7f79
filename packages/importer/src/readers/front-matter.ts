/**
 * Splits a post into its front matter, between two lines of `+++` (TOML) or `---` (YAML) or as a JSON object, and its body. The body
 * must stay unchanged byte for byte, so no Markdown tool is involved. All values are texts as they are written, as a title `1.10` is
 * not the number 1.1; the fields that they are for decide what they mean.
 */

import { MalformedJsonError, parseJson } from '@trellis/schema/values/json.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { isPair, isScalar, parseDocument, Scalar, visit } from 'yaml';
import { readToml } from './toml.ts';

/** A post with its front matter parsed. */
export interface Post {
  /** The metadata: texts, null, lists and objects of them; empty without front matter. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The text after the front matter; the whole text without any. */
  readonly body: string;
}

/** The front matter is invalid; the message says where, and what to correct. */
export class FrontMatterError extends Error {}

const opening = /^\uFEFF?(\+\+\+|---)[ \t]*(?:\r\n|\n)/;
const closings = {
  '+++': /^\+\+\+[ \t]*(?:\r\n|\n|(?![\s\S]))/m,
  '---': /^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|(?![\s\S]))/m,
};
/** An object of JSON; a text may begin with a brace as well, as `{{< figure >}}` and `{% include %}` do. */
const jsonOpening = /^\uFEFF?\s*(?=\{\s*["}])/;
/** Org mode keeps its metadata in lines like `#+title: Hello`. */
const orgOpening = /^\uFEFF?\s*#\+\w+:/;

/** Values nested deeper than this are refused. */
const deepestNesting = 32;
/** References of YAML to an anchor, each of which the parser looks for from the beginning. */
const mostReferences = 100;

/** Splits a post. @throws FrontMatterError */
export function splitPost(text: string): Post {
  if (orgOpening.test(text)) {
    throw new FrontMatterError('The file is written in Org mode. Convert it to Markdown first.');
  }
  const opened = opening.exec(text);
  if (opened === null) return jsonOpening.test(text) ? splitJson(text) : { metadata: {}, body: text };
  const fence = opened[1] === '+++' ? '+++' : '---';
  const rest = text.slice(opened[0].length);
  const closed = closings[fence].exec(rest);
  if (closed === null) {
    throw new FrontMatterError(
      `The front matter is opened by ${fence} in line 1 and never closed by another ${fence}.`,
    );
  }
  const head = rest.slice(0, closed.index);
  const body = rest.slice(closed.index + closed[0].length);
  return { metadata: fence === '+++' ? toMetadata(parseToml(head)) : readYaml(head), body };
}

function splitJson(text: string): Post {
  const start = jsonOpening.exec(text)?.[0].length ?? 0;
  const end = findJsonEnd(text, start);
  if (end === null) throw new FrontMatterError('The JSON front matter is never closed by a brace.');
  const head = text.slice(start, end);
  try {
    parseJson(head);
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    throw new FrontMatterError(`The JSON front matter is not valid in line ${error.line}: ${error.reason}.`);
  }
  // JSON is YAML (1.2, 1.3), whose parser keeps numbers as they are written.
  return { metadata: readYaml(head), body: text.slice(end).replace(/^[ \t]*(?:\r\n|\n)/, '') };
}

/** The position after the brace that closes the one at `start`; null without one. Braces in strings do not count. */
function findJsonEnd(text: string, start: number): number | null {
  // A string that is never closed reaches to the end: it is not looked for again from each of its quotation marks.
  const tokens = /"(?:[^"\\]|\\[\s\S])*"?|[{}]/g;
  tokens.lastIndex = start;
  let depth = 0;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (token[0] === '{') depth += 1;
    else if (token[0] === '}') depth -= 1;
    if (depth === 0) return tokens.lastIndex;
  }
  return null;
}

function parseToml(head: string): unknown {
  try {
    return readToml(head);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // A value that is missing in the last line is missed behind it.
    const at = 'index' in error ? Number(error.index) : null;
    const before = at === head.length ? head.trimEnd() : head.slice(0, at ?? 0);
    const line = at === null ? '' : ` in line ${before.split('\n').length + 1}`;
    const reason = error instanceof RangeError ? 'The values are nested too deeply' : error.message;
    throw new FrontMatterError(`The TOML front matter is not valid${line}: ${reason}.`);
  }
}

function readYaml(head: string): Record<string, unknown> {
  let value: unknown;
  try {
    const document = parseDocument(head, {
      schema: 'failsafe',
      merge: true,
      // The parser would compare each name with all others.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const refuse = (position: number, reason: string) => {
      const line = head.slice(0, position).split('\n').length + 1;
      return new FrontMatterError(`The YAML front matter is not valid in line ${line}: ${reason}`);
    };
    const [fault] = document.errors;
    if (fault !== undefined) throw refuse(fault.pos[0], fault.message);
    let references = 0;
    visit(document, {
      Map(_, { items }) {
        const names = new Set<unknown>();
        for (const { key } of items) {
          if (!isScalar(key)) continue;
          if (names.has(key.value)) throw refuse(key.range?.[0] ?? 0, 'Map keys must be unique');
          names.add(key.value);
        }
      },
      Alias(_, { range }) {
        references += 1;
        if (references > mostReferences)
          throw refuse(range?.[0] ?? 0, `It refers to anchors more than ${mostReferences} times`);
      },
      Scalar(key, node, path) {
        if (key !== 'key' && isNothing(node, isPair(path.at(-1)))) node.value = null;
      },
    });
    value = document.toJS();
  } catch (error) {
    if (error instanceof FrontMatterError) throw error;
    // The parser limits references to an anchor, since nested ones could expand without bound.
    throw new FrontMatterError(`The YAML front matter is not valid: ${(error as Error).message}.`);
  }
  if (value === null || value === undefined || value === '') return {};
  if (!isPlainObject(value))
    throw new FrontMatterError('The YAML front matter must consist of "name: value" lines.');
  return toMetadata(value);
}

/** Whether a value of YAML is none. In a list, `null` is a word like any other; nobody lists what is not there. */
function isNothing({ type, value }: Scalar, isOfKey: boolean): boolean {
  return type === Scalar.PLAIN && (value === '' || value === '~' || (isOfKey && value === 'null'));
}

function toMetadata(value: unknown): Record<string, unknown> {
  return checkValues(value, 0) as Record<string, unknown>;
}

/**
 * The values of a parser as plain JSON values. YAML can refer to a list within itself, and escape half of a surrogate pair, which is
 * refused as in JSON (RFC 8785).
 */
function checkValues(value: unknown, depth: number): unknown {
  if (depth > deepestNesting) throw new FrontMatterError('The front matter is nested too deeply.');
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new FrontMatterError('The front matter has an escape for half of a surrogate pair. Remove it.');
  }
  if (Array.isArray(value)) return value.map((item) => checkValues(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, checkValues(inner, depth + 1)]),
  );
}
