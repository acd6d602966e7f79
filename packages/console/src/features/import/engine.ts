/** The importer in a page: its requests are those of the page, and it leaves the page time to respond to input. */
import type { ImportClient } from '@trellis/importer/api.ts';
import { ImportStopped } from '@trellis/importer/errors.ts';
import { parentResources } from '@trellis/importer/parents.ts';
import type { ImportOptions } from '@trellis/importer/run.ts';
import type { Source } from '@trellis/importer/source.ts';
import type { Api } from '../../api/api.ts';
import type { StepUp } from '../../api/proof.ts';
import { type Choice, parentOf } from './files.ts';
import type { ImportSettings } from './job.ts';

/** Rows that are imported at the same time; a browser has six connections to a server. */
const concurrency = 4;
/** How long rows are worked on before the page has its turn. */
const sliceMs = 8;

/**
 * The client of the importer. It renews an expired token of the session for the organization.
 * @param withStepUp asks the person for a fresh proof where one is needed
 */
export function toImportClient(api: Api, withStepUp: StepUp['run']): ImportClient {
  return {
    request: (request) => withStepUp(() => api.request(request)),
    async *itemsOf(request) {
      let query = request.query;
      for (;;) {
        const { value: page } = await withStepUp(() =>
          api.use((client) => client.pagesOf({ ...request, query }).next()),
        );
        if (page === undefined) return;
        yield* page.items;
        if (!page.pageInfo.hasNextPage || page.pageInfo.nextCursor === null) return;
        query = { ...query, cursor: page.pageInfo.nextCursor };
      }
    },
  };
}

/** The options of the importer. */
export function toOptions(
  choice: Choice,
  settings: ImportSettings,
  run: string,
  dryRun: boolean,
): ImportOptions {
  const { parentId, ...others } = settings;
  const { resource } = others;
  const parentName = parentOf(choice, resource)?.name;
  const parent = parentResources.find(({ name }) => name === parentName);
  const parents = parent === undefined || parentId === null ? {} : { [parent.singular]: parentId };
  return { ...others, parents, run, dryRun, concurrency };
}

/** How an import is held. */
export interface Control {
  readonly signal: AbortSignal;
  /** Resolves when it may continue; null while it is not paused. */
  readonly paused: () => Promise<void> | null;
}

/** The source with pauses between its rows: those of the person, and short ones in which the page can draw and respond. */
export function readInTurns(source: Source, { signal, paused }: Control): Source {
  return {
    ...source,
    async *read() {
      let began = performance.now();
      for await (const row of source.read()) {
        await paused();
        if (signal.aborted) throw new ImportStopped('The import was cancelled.');
        if (performance.now() - began > sliceMs) {
          await waitForNextTask();
          began = performance.now();
        }
        yield row;
      }
    },
  };
}

/** Lets the browser run pending tasks. Unlike a timer, a message is not delayed by some milliseconds. */
function waitForNextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
