/** The pages that `/console` shows while there is nothing to serve yet. */
import { hash } from 'node:crypto';

/** With a fragment in the address, as links for signing in have, a browser takes a refresh by `meta` for a jump within the page. */
const reload = 'setTimeout(() => location.reload(), 1000)';

/** The only script that the page may run. */
export const reloadSource = `'sha256-${hash('sha256', reload, 'base64')}'`;

function layOut(title: string, refresh: boolean, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${refresh ? `<noscript><meta http-equiv="refresh" content="1"></noscript>\n<script>${reload}</script>\n` : ''}<title>${title}</title>
</head>
<body>
<main><h1>${title}</h1><p>${text}</p></main>
</body>
</html>
`;
}

export function renderBuilding(): string {
  return layOut(
    'Building the console',
    true,
    'This happens once after an update and takes a few seconds. The page loads itself again.',
  );
}

export function renderFailed(): string {
  return layOut(
    'The console could not be built',
    false,
    'The log of the server says why. The API is served as usual. Start the server again to have another try.',
  );
}
