/**
 * Splits a post into its front matter, between two lines of `+++` (TOML) or `---` (YAML), and its body. The body must stay
 * unchanged byte for byte, so no Markdown tool is involved.
 */

import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { parse as parseToml, TomlError } from 'smol-toml';
import { parseDocument } from 'yaml';

/** A post with its front matter parsed. */
export interface Post {
  /** The metadata, with TOML dates as RFC 3339 texts; empty without front matter. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The text after the closing line; the whole text without front matter. */
  readonly body: string;
}

/** The front matter is invalid; the message says where, and what to correct. */
export class FrontMatterError extends Error {}

const opening = /^\uFEFF?(\+\+\+|---)[ \t]*(?:\r\n|\n)/;
const closings = {
  '+++': /^\+\+\+[ \t]*(?:\r\n|\n|(?![\s\S]))/m,
  '---': /^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|(?![\s\S]))/m,
};

/** Splits a post. @throws FrontMatterError */
export function splitPost(text: string): Post {
  const opened = opening.exec(text);
  if (opened === null) return { metadata: {}, body: text };
  const fence = opened[1] === '+++' ? '+++' : '---';
  const rest = text.slice(opened[0].length);
  const closed = closings[fence].exec(rest);
  if (closed === null) {
    throw new FrontMatterError(
      `The front matter is opened by ${fence} in line 1 and never closed by another ${fence}.`,
    );
  }
  const head = rest.slice(0, closed.index);
  return {
    metadata: fence === '+++' ? readToml(head) : readYaml(head),
    body: rest.slice(closed.index + closed[0].length),
  };
}

function readToml(head: string): Record<string, unknown> {
  try {
    return toPlainValues(parseToml(head)) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [sentence = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
    throw new FrontMatterError(`The TOML front matter is not valid in line ${error.line + 1}: ${sentence}.`);
  }
}

function readYaml(head: string): Record<string, unknown> {
  const document = parseDocument(head, { prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const line = head.slice(0, fault.pos[0]).split('\n').length + 1;
    throw new FrontMatterError(`The YAML front matter is not valid in line ${line}: ${fault.message}`);
  }
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // The parser limits references to an anchor, since nested ones could expand without bound.
    throw new FrontMatterError(`The YAML front matter is not valid: ${(error as Error).message}.`);
  }
  if (value === null || value === undefined) return {};
  if (!isPlainObject(value))
    throw new FrontMatterError('The YAML front matter must consist of "name: value" lines.');
  return toPlainValues(value) as Record<string, unknown>;
}

/**
 * Converts the values of a parser to plain JSON values. TOML dates become texts. YAML can escape half of a surrogate pair,
 * which is refused as in JSON (RFC 8785).
 */
function toPlainValues(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new FrontMatterError('The front matter has an escape for half of a surrogate pair. Remove it.');
  }
  if (Array.isArray(value)) return value.map(toPlainValues);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlainValues(inner)]));
}
