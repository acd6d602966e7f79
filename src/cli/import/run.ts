/**
 * Why: an import from top to bottom: open the source, find the site, see what is there, then bring row after row to its
 * end, several side by side. It keeps nothing of its own on disk: run again after a kill, it finds everything out anew.
 */

import { ApiClient, ImportStopped, RefusedError } from '../api-client.ts';
import { UsageError } from '../command-line.ts';
import type { Connection } from '../connection.ts';
import { Account } from './account.ts';
import { articleImport } from './articles.ts';
import { Creator } from './creator.ts';
import { deriveExternalId } from './keys.ts';
import { LinkResolver } from './links.ts';
import { Mapping, type MapRule } from './mapping.ts';
import { openSource } from './open-source.ts';
import { showProgress } from './progress.ts';
import type { ImportReport } from './report.ts';
import { findSite, type Site } from './site.ts';
import type { SourceRecord, Unreadable } from './source.ts';
import { type ResourceImport, RowRejected } from './targets.ts';
import { Writer } from './writer.ts';

/** The resources that can be imported, by name. */
export const importableResources: Readonly<Record<string, ResourceImport>> = {
  articles: articleImport,
};

export interface ImportOptions {
  /** A folder or a file. */
  readonly path: string;
  /** Name of the resource: `articles`. */
  readonly resource: string;
  /** Key or id of the site. */
  readonly site: string;
  readonly map: readonly MapRule[];
  readonly dryRun: boolean;
  /** Rows that are worked on side by side. */
  readonly concurrency: number;
  /** Where rejected rows are written, as NDJSON; null for nowhere. */
  readonly rejectedFile: string | null;
}

/** What an import needs of its surroundings. */
export interface ImportSurroundings {
  readonly connection: Connection;
  /** For the bar. */
  readonly stderr: (text: string) => void;
  readonly isTerminal: boolean;
  /** Milliseconds since 1970; what is a date to come depends on it. */
  readonly clock?: () => number;
  /** Waits between attempts; tests pass one that does not. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Imports a source. Rows that cannot be imported are told in the report, and so is what stopped the import.
 * @throws UsageError when the options name something that is not there
 * @throws ImportStopped when it could not begin
 */
export async function runImport(options: ImportOptions, io: ImportSurroundings): Promise<ImportReport> {
  const profile = readResource(options.resource);
  const mapping = new Mapping(profile, options.map);
  const source = await openSource(options.path);
  const client = new ApiClient({ ...io.connection, ...(io.wait === undefined ? {} : { wait: io.wait }) });
  const site = await findSite(client, options.site);
  const creator = new Creator(client, site.id);
  const links = new LinkResolver(creator, options.dryRun);
  const writer = new Writer(profile, creator, links, options.dryRun);
  await orStop(writer.prepare());
  const account = await Account.open(options.rejectedFile);
  const clock = io.clock ?? Date.now;
  const progress = showProgress(source.count, io.isTerminal, io.stderr);
  const began = performance.now();
  const now = clock();
  const seen = new Set<string>();
  const handle = async (item: SourceRecord | Unreadable) => {
    let externalId: string | null = null;
    try {
      if ('unreadable' in item) throw new RowRejected([item.unreadable]);
      const mapped = mapping.map(item);
      externalId = readExternalId(mapped.values, site, item);
      if (seen.has(externalId)) {
        throw new RowRejected([`externalId: "${externalId}" is that of an earlier row too.`]);
      }
      seen.add(externalId);
      const row = profile.buildRow(item.place, externalId, mapped.values, now);
      const outcome = await writer.write({ ...row, mendings: [...mapped.mendings, ...row.mendings] });
      account.settle(item.place, outcome.result, outcome.mendings);
    } catch (error) {
      if (!(error instanceof RowRejected)) throw error;
      await account.reject({ place: item.place, externalId, reasons: error.reasons });
    }
    progress.advance(account.rows, account.rejected);
  };
  let stopped: string | null = null;
  try {
    await forEachConcurrently(source.read(), options.concurrency, handle);
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error;
    stopped = error.message;
  } finally {
    progress.end();
    await account.close();
  }
  const seconds = (performance.now() - began) / 1000;
  return {
    resource: profile.resource.name,
    site,
    source: options.path,
    dryRun: options.dryRun,
    ...account.summary(),
    rejectedFile: options.rejectedFile,
    linked: Object.fromEntries(links.created),
    mapping: mapping.lines(),
    notImported: mapping.leftOver(),
    absentNames: mapping.absentNames(),
    passedOver: [...source.passedOver].map(([what, count]) => ({ what, count })),
    stopped,
    seconds,
    rowsPerSecond: seconds > 0 ? account.rows / seconds : 0,
  };
}

function readResource(name: string): ResourceImport {
  const profile = importableResources[name];
  if (profile !== undefined) return profile;
  throw new UsageError(
    `--resource: "${name}" cannot be imported. There are: ${Object.keys(importableResources).join(', ')}.`,
  );
}

/** The externalId that the mapping names, else one derived from where the record stands. */
function readExternalId(values: ReadonlyMap<string, unknown>, site: Site, { key }: SourceRecord): string {
  const given = values.get('externalId');
  return typeof given === 'string' && given.trim() !== '' ? given.trim() : deriveExternalId(site.key, key);
}

/** Before the first row a refusal concerns the whole import. */
export async function orStop(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw error instanceof RefusedError ? new ImportStopped(error.message, { cause: error }) : error;
  }
}

/** Takes items one by one and handles at most that many side by side; the first error ends it all. */
export async function forEachConcurrently<T>(
  items: AsyncIterable<T>,
  concurrency: number,
  handle: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let ended = false;
  // One at a time asks the iterator, so that items are begun in order.
  let turn: Promise<unknown> = Promise.resolve();
  const next = (): Promise<IteratorResult<T>> => {
    const asked = turn.then(() => iterator.next());
    turn = asked.catch(() => undefined);
    return asked;
  };
  const work = async () => {
    while (!ended) {
      const item = await next();
      if (item.done === true) break;
      try {
        await handle(item.value);
      } catch (error) {
        ended = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
