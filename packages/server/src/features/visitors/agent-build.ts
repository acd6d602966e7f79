/**
 * Builds the browser script from its TypeScript source. Browsers get one small file, the source is
 * checked like all other code, and there is no build output that could be outdated.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** The agent as it is served. */
export interface Agent {
  /** JavaScript, UTF-8. */
  readonly source: string;
  /** The first 22 characters of its SHA-256, base64url: for a strong entity tag. */
  readonly digest: string;
}

/** Reads and builds `packages/agent/src/agent.ts`. Takes a tenth of a second: call it once. */
export function buildAgent(): Agent {
  const source = minifyScript(
    readFileSync(new URL('../../../../agent/src/agent.ts', import.meta.url), 'utf8'),
  );
  return { source, digest: createHash('sha256').update(source).digest('base64url').slice(0, 22) };
}

/**
 * TypeScript without its types, comments, indentation and empty lines. It works on whole lines, so it cannot break a
 * text or a regular expression; names stay, since compression shortens them well enough.
 *
 * @throws TypeError for a template literal that spans lines: one of them could look like a comment
 */
export function minifyScript(typescript: string): string {
  const withoutBlocks = stripTypes(typescript).replace(/^[ \t]*\/\*[\s\S]*?\*\/[ \t]*$/gm, '');
  const lines = withoutBlocks
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'));
  for (const line of lines) {
    if (line.split('`').length % 2 === 0) {
      throw new TypeError(`A template literal must end on its line to be minified: ${line}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Suppresses Node's warning that this function is experimental, which operators would see. */
function stripTypes(typescript: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(typescript);
  } finally {
    process.emitWarning = emitWarning;
  }
}
