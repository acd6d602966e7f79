/** The HTML layout of the documentation pages: readable in light and dark at any size, without scripts. */
import { escapeHtml, markdownPath, type Page, renderHtml } from './page.ts';
import type { Place } from './places.ts';

/** The HTML document of a page. `places`: the navigation; `path`: the path of the page, null where there is no Markdown page of it; `below`: our own HTML after the page's blocks. */
export function layOut(places: readonly Place[], page: Page, path: string | null, below = ''): string {
  const links = places.map(({ path: place, name }) => {
    const current = place === path ? ' aria-current="page"' : '';
    return `<li><a href="${place}"${current}>${name}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Trellis</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/style.css">${path === null ? '' : `\n${alternate(path)}`}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><nav aria-label="Documentation"><ul>${links.join('')}</ul></nav></header>
<main id="content">
${renderHtml(page)}${below === '' ? '' : `\n${below}`}
</main>
</body>
</html>
`;
}

function alternate(path: string): string {
  return `<link rel="alternate" type="text/markdown" href="${escapeHtml(markdownPath(path))}">`;
}

/** The page that Scalar's script fills. */
export const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trellis API reference</title>
<link rel="icon" href="data:,">
${alternate('/docs')}
</head>
<body>
<div id="app"></div>
<noscript><p>The reference needs JavaScript. Without it: <a href="/docs/operations">all operations</a>, and the OpenAPI documents of <a
href="/docs/openapi.json">the tenant API</a> and <a href="/sandbox/openapi.json">the sandbox</a>. <a href="/llms.txt">All pages as Markdown</a>.</p></noscript>
<script src="/docs/assets/scalar.js"></script>
<script src="/docs/assets/reference.js"></script>
</body>
</html>
`;

/** Starts Scalar. All its requests to other servers are switched off; numbers in narrow columns are not broken. */
export const referenceScript = `Scalar.createApiReference('#app', {
  sources: [
    { title: 'Tenant API', slug: 'tenant-api', url: '/docs/openapi.json', default: true },
    { title: 'Sandbox', slug: 'sandbox', url: '/sandbox/openapi.json' },
  ],
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  defaultOpenAllTags: false,
  customCss: '.markdown :is(th, td) { word-break: normal !important; }',
});
`;

export const stylesheet = `:root {
  color-scheme: light dark;
  --text: light-dark(#1c1f23, #e6e8eb);
  --muted: light-dark(#59616b, #a3abb5);
  --paper: light-dark(#ffffff, #15181c);
  --shade: light-dark(#f3f5f7, #20252b);
  --line: light-dark(#d5dae0, #3a424b);
  --link: light-dark(#0b57b0, #8ab8ff);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--text);
  font: 1rem/1.6 system-ui, sans-serif;
}
header { border-bottom: 1px solid var(--line); }
nav ul, main { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding-block: 0.75rem; list-style: none; }
main { padding-block: 1rem 4rem; }
a { color: var(--link); }
nav a { text-decoration: none; }
nav a:hover, nav a[aria-current] { text-decoration: underline; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 0.5rem; top: 0.5rem; padding: 0.5rem; background: var(--paper); }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 1.5rem 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 0.5rem; scroll-margin-top: 1rem; }
p { max-width: 44rem; margin: 0.5rem 0; }
code { font: 0.9em ui-monospace, monospace; background: var(--shade); border-radius: 3px; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre { overflow-x: auto; background: var(--shade); border-radius: 6px; padding: 1rem; }
pre code { padding: 0; overflow-wrap: normal; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--muted); padding-bottom: 0.5rem; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 400; }
input, select, button { font: inherit; max-width: 100%; }
`;
