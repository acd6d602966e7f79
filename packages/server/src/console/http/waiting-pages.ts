/** The pages that `/console` shows while there is nothing to serve yet. They have no scripts and no styles. */

function layOut(title: string, refresh: boolean, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${refresh ? '<meta http-equiv="refresh" content="1">\n' : ''}<title>${title}</title>
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
