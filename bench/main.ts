/** The entry point of the benchmark: its parts need different data and take their own time, so each is run by its name. */

const parts = new Map([
  ['peers', () => import('./peers.ts')],
  ['batches', () => import('./batches.ts')],
  ['search', () => import('./search.ts')],
  ['quality', () => import('./quality.ts')],
  ['snippets', () => import('./snippets.ts')],
  ['events', () => import('./events.ts')],
  ['hostile', () => import('./hostile.ts')],
  ['keys', () => import('./keys.ts')],
  ['console', () => import('./console.ts')],
  ['start', () => import('./start.ts')],
  ['releases', () => import('./releases.ts')],
]);
const help = `Measures the server; results of a real run stand in docs/performance.md.

  npm run bench                 all parts, one after the other
  npm run bench -- peers        reads and writes of 100,000 articles, beside a hand-written server
  npm run bench -- batches      creations in batches, beside single ones
  npm run bench -- search       search among 100,000 contacts, books and knowledge files, with the plans behind it
  npm run bench -- quality      what searches find, by judged questions over public texts
  npm run bench -- snippets     the snippets of a page of search results
  npm run bench -- events       events from the outbox to the log and to webhook endpoints
  npm run bench -- hostile      one tenant's latencies beside a hostile one, ingredient by ingredient
  npm run bench -- keys         keys pressed in the editor of articles, in Chromium
  npm run bench -- console      the API of a node with the console beside that of one without it
  npm run bench -- start        the start of a server, in a clone and as a package, beside the smallest server
  npm run bench -- releases     what a request costs in this clone, beside another clone of the project

Each part has options of its own: npm run bench -- search --help
`;

const [first] = process.argv.slice(2);
const named = first !== undefined && parts.has(first) ? first : null;
if (named === null && first !== undefined) {
  process.stdout.write(help);
  process.exitCode = first === '--help' ? 0 : 2;
} else {
  // Each part reads its options from the command line, without the name.
  if (named !== null) process.argv.splice(2, 1);
  for (const [name, run] of parts) if (named === null || named === name) await run();
}
