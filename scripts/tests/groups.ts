/** Which test files share a process. */

/** Files that would disturb others in their process, or be disturbed by them. */
export const incompatible: readonly string[] = [
  // Its resource must be registered before any module is loaded.
  'test/resources/new-resource.test.ts',
  // They measure the memory of their process, or how long it works.
  'test/pipeline/hostile-texts.test.ts',
  // It marks the modules of the server as they are loaded.
  'test/database/tenant-statements.test.ts',
  'test/http/contract/unread-responses.test.ts',
  'test/knowledge/extraction-growth.test.ts',
];

/**
 * Files that take so long that others would wait for them; they would not profit from company either. They begin first, those
 * that mostly wait between those that need the processor.
 */
export const long: readonly string[] = [
  'test/sign-in/guessing.test.ts',
  'test/console/rounds.test.ts',
  'test/model/sequences.test.ts',
  'test/faults/kill-server.test.ts',
  'test/faults/kill-backup.test.ts',
  'test/fuzz/requests.test.ts',
  'test/faults/kill-administration.test.ts',
  'test/console/records.test.ts',
  'test/knowledge/hostile-contents.test.ts',
  'test/console/articles.test.ts',
  'test/console/changes/kills.test.ts',
  'test/nodes/nodes.test.ts',
  'test/browser/visitors.test.ts',
  'test/knowledge/extraction-hostile.test.ts',
  'test/console/waiting.test.ts',
  'test/client/kills.test.ts',
  'test/console/sign-in.test.ts',
  'test/knowledge/interrupted-extraction.test.ts',
  'test/http/contract/cursors.test.ts',
  'test/http/openapi.test.ts',
  'test/pipeline/search-indexer.test.ts',
  'test/nodes/workers.test.ts',
  'test/http/enumeration/inputs.test.ts',
  'test/http/enumeration/idempotency.test.ts',
  'test/cli/demo.test.ts',
  'test/cli/serve.test.ts',
  'test/http/contract/hostile-json.test.ts',
  'test/database/embedded.test.ts',
  'test/http/contract/headers.test.ts',
  'test/http/enumeration/access.test.ts',
];

/** A number from 0 up to, but not including, 1. */
type Draw = () => number;

/** How files are divided. */
export interface Grouping {
  readonly draw: Draw;
  /** Files in one process, at most. */
  readonly largest: number;
  /** Processes that run at once, each of which is to have work. */
  readonly atOnce: number;
}

/**
 * Divides files into groups for one process each, the longest first. Files that share one are in random order, since none
 * may depend on another.
 */
export function groupFiles(files: readonly string[], { draw, largest, atOnce }: Grouping): string[][] {
  const alone = [...long, ...incompatible].filter((file) => files.includes(file));
  const groups = alone.map((file) => [file]);
  const shared = shuffle(
    files.filter((file) => !alone.includes(file)),
    draw,
  );
  const size = Math.min(largest, Math.ceil(shared.length / atOnce));
  for (let start = 0; start < shared.length; start += size) groups.push(shared.slice(start, start + size));
  return groups;
}

/** Fisher and Yates's shuffle. */
function shuffle<T>(values: readonly T[], draw: Draw): T[] {
  const shuffled: T[] = [];
  for (const value of values) {
    const place = Math.floor(draw() * (shuffled.length + 1));
    shuffled.splice(place, 0, value);
  }
  return shuffled;
}
