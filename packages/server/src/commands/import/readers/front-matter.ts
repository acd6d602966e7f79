/**
 * Splits a post into its front matter, between two lines of `+++` (TOML) or `---` (YAML), and its text. The text must come
 * out byte for byte, so it is cut off here and never passes a Markdown tool.
 */

import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { parse as parseToml, TomlError } from 'smol-toml';
import { parseDocument } from 'yaml';

/** A text taken apart. */
export interface Post {
  /** The metadata, dates as RFC 3339 texts as far as the format knows dates; empty when there is none. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Everything after the closing line's own line break; the whole text when there is no front matter. */
  readonly body: string;
}

/** The metadata cannot be understood; the message says where, and what to correct. */
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
    // More references to one anchor than any honest file has.
    throw new FrontMatterError(`The YAML front matter is not valid: ${(error as Error).message}.`);
  }
  if (value === null || value === undefined) return {};
  if (!isPlainObject(value))
    throw new FrontMatterError('The YAML front matter must consist of "name: value" lines.');
  return toPlainValues(value) as Record<string, unknown>;
}

/**
 * TOML has dates of its own, which write themselves as they stood; texts serve both formats. YAML can escape half of a
 * surrogate pair, which no JSON text may have (RFC 8785).
 */
function toPlainValues(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new FrontMatterError('The front matter has half of a surrogate pair. Remove the escape of it.');
  }
  if (Array.isArray(value)) return value.map(toPlainValues);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlainValues(inner)]));
}
