/** Which test files the soak runs. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Files that only the soak runs, beside those in `test/soak`. Each takes more than ten seconds of processor time with what it
 * starts, at any length, and few changes concern it: run it by name when you change what it tests.
 */
export const onlyInSoak: readonly string[] = [
  // Hostile documents and pictures, each in an extraction process of its own up to its limits of time and memory.
  'test/knowledge/hostile-contents.test.ts',
  'test/knowledge/extraction-hostile.test.ts',
  'test/knowledge/extraction-growth.test.ts',
  'test/knowledge/interrupted-extraction.test.ts',
  // Pictures, each decoded and encoded in several sizes and formats.
  'test/knowledge/renditions.test.ts',
  'test/knowledge/picture-metadata.test.ts',
  'test/knowledge/public-pictures.test.ts',
  'test/knowledge/picture-library.test.ts',
  'test/cli/import-pictures.test.ts',
  // Thousands of odd requests and values.
  'test/fuzz/requests.test.ts',
  'test/http/odd-searches.test.ts',
  'test/http/contract/hostile-json.test.ts',
  'test/http/contract/unread-responses.test.ts',
  'test/sign-in/guessing.test.ts',
  'test/backup/damaged.test.ts',
  // NATS, metrics and memory, with processes of their own.
  'test/events/nats.test.ts',
  'test/nodes/metrics.test.ts',
  'test/objects/memory.test.ts',
  // Starts of whole servers with their databases and the demo, several at once, and servers that are stopped and killed.
  'test/cli/serve.test.ts',
  // Follows tutorials of a dozen commands each.
  'test/cli/coming-from.test.ts',
  'test/cli/demo.test.ts',
  // Builds the published package, and installs and runs it.
  'test/cli/package.test.ts',
  // Builds the container image on a base of Debian's packages.
  'test/cli/container.test.ts',
  // Needs systemd-analyze.
  'test/cli/systemd.test.ts',
  'test/console/changes/kills.test.ts',
  'test/client/kills.test.ts',
  'test/webhooks/kills.test.ts',
  'test/faults/kill-administration.test.ts',
  'test/faults/kill-restore.test.ts',
  'test/faults/kill-server.test.ts',
  'test/faults/kill-backup.test.ts',
  'test/faults/kill-organization-import.test.ts',
  // Copies of the product and of backups, each with a server of PostgreSQL.
  'test/cli/upgrade.test.ts',
  'test/nodes/workers.test.ts',
  'test/nodes/nodes.test.ts',
  'test/database/embedded.test.ts',
  'test/faults/failover.test.ts',
  'test/faults/replicas.test.ts',
  // Downloads Prometheus for its promtool.
  'test/deploy/alert-rules.test.ts',
  // Linters over the whole document and all operations.
  'test/http/openapi-linters.test.ts',
  'test/client/installed-client.test.ts',
];

/** Whether `npm test` leaves a file to the soak. */
export function isOnlyInSoak(file: string): boolean {
  return runsAlone(file) || onlyInSoak.includes(file) || isOfPages(file);
}

/** Whether a file tests pages of the console in Chromium. `npm test` has one walk through them, and what is below the pages. */
function isOfPages(file: string): boolean {
  return (
    /^test\/(?:console|walks)\/[^/]+$/.test(file) &&
    file !== 'test/walks/everyone.test.ts' &&
    opensConsole(file)
  );
}

function opensConsole(file: string): boolean {
  return /\/support\/(?:console|screens|walks)\.ts'/.test(readFileSync(file, 'utf8'));
}

/** Whether a file measures what others would disturb. */
export function runsAlone(file: string): boolean {
  return file.startsWith('test/soak/');
}

/**
 * Whether a soak does more of a file than `npm test`. The file says so by its import of `soak.ts`, or of `console.ts`, with
 * which a soak looks at each page in light and dark, wide and narrow.
 */
export function isLongerInSoak(file: string): boolean {
  return isOnlyInSoak(file) || opensConsole(file) || readFileSync(file, 'utf8').includes("/support/soak.ts'");
}

/** Into how many parts CI divides the soak, and for how long one is its turn, in seconds. */
const parts = 6;
const turnSeconds = 3 * 3_600;

/**
 * The files of a soak that are its turn: those that the commits of the last day have changed, and every sixth of the others. Which of
 * them depends on when the last commit was made, so that a run can be repeated, and a few landings run them all.
 */
export function chooseTurn(files: readonly string[]): string[] {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();
  const committedAt = Number(git('log', '-1', '--format=%ct'));
  const since = `--since=${committedAt - 86_400}`;
  const changed = new Set(git('log', since, '--name-only', '--format=', '--', 'test').split('\n'));
  const turn = Math.floor(committedAt / turnSeconds) % parts;
  return files.filter((file, index) => changed.has(file) || index % parts === turn);
}
