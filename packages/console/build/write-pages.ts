/** Writes the pages that the server sends from the one of the bundler: they name what is loaded next, so that no file leads to it. */
import { join } from 'node:path';
import type { Rolldown } from 'vite';
import { reach } from './chunks.ts';
import { noncePlaceholder } from './page.ts';

/** The request that the sign-in begins with. The attributes are those of the console's own request, or it would be sent a second time. */
const methods = '<link rel="preload" as="fetch" href="/auth/methods" crossorigin>';

/**
 * The texts of the page files, in their order.
 * @param html the page of the bundler
 * @param sources folder of the console's modules
 * @param base path below which the files are served
 */
export function writePages(
  html: string,
  { output }: Rolldown.RolldownOutput,
  sources: string,
  base: string,
): readonly [signedIn: string, signedOut: string] {
  const chunks = output.filter((one) => one.type === 'chunk');
  const links = (root: string, more: string) => {
    const entered = chunks.filter(({ facadeModuleId }) => facadeModuleId === join(sources, root));
    const needed = [...reach(chunks, entered)];
    const scripts = needed.map(({ fileName }) => linkTo('modulepreload', base + fileName));
    const styles = needed.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
    return insert(
      html,
      [...scripts, more],
      styles.map((name) => linkTo('stylesheet', base + name)),
    );
  };
  return [links('app/home.ts', ''), links('app/entry-pages.ts', methods)];
}

function linkTo(kind: 'modulepreload' | 'stylesheet', path: string): string {
  return `<link rel="${kind}" crossorigin href="${path}" nonce="${noncePlaceholder}">`;
}

/** Styles stand behind what is shown until the script runs, because a browser shows nothing that is behind them before it has them. */
function insert(html: string, heads: readonly string[], styles: readonly string[]): string {
  const ofEntry = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  const bare = ofEntry.reduce((text, link) => text.replace(link, ''), html);
  const head = heads.filter((link) => link !== '' && !bare.includes(link));
  const foot = new Set([...ofEntry, ...styles]);
  return bare
    .replace('</head>', `  ${head.join('\n    ')}\n  </head>`)
    .replace('</body>', `  ${[...foot].join('\n    ')}\n  </body>`);
}
