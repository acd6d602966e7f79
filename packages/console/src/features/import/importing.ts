/**
 * The import of a person: chosen files, settings, the dry run and the run. It continues while other pages are shown, and after a reload. One
 * tab runs it: the one that holds its lock.
 */
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import type { RowCounts } from '@trellis/importer/report.ts';
import { type RejectedRows, runImport } from '@trellis/importer/run.ts';
import { undoImport } from '@trellis/importer/undo.ts';
import type { Api } from '../../api/api.ts';
import type { StepUp } from '../../api/proof.ts';
import { isOld } from '../../outbox/store/refusal.ts';
import type { Vault } from '../../storage/vault.ts';
import { type Control, readInTurns, toImportClient, toOptions } from './engine.ts';
import { type Choice, openChoice, readingOf } from './files.ts';
import {
  type ImportJob,
  type ImportSettings,
  type Report,
  readJob,
  removeJob,
  storeJob,
  updateJob,
} from './job.ts';
import { KeptWrites } from './kept-writes.ts';
import { RejectedRowsFile } from './rejected-rows.ts';

/** What runs now. */
export interface Activity {
  readonly kind: 'check' | 'run' | 'undo';
  readonly progress: RowCounts;
  /** Whether another tab imports, which has to end first. */
  readonly isElsewhere: boolean;
}

export interface ImportState {
  /** Null without an import. */
  readonly job: ImportJob | null;
  /** Whether it is known if there is one; not while chosen files are being stored. */
  readonly isLoaded: boolean;
  readonly activity: Activity | null;
  /** Whether the file and the settings are kept for a reload; otherwise the browser has no room for them, or no database. */
  readonly isPersistent: boolean;
  /** What kept the last dry run or run from beginning. */
  readonly error: unknown;
}

const noRows: RowCounts = { rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 };
/** How often progress is shown. */
const progressMs = 200;

export class Importing {
  private readonly api: Api;
  private readonly vault: Vault;
  private readonly withStepUp: StepUp['run'];
  private readonly finished: (report: Report | null) => void;
  private readonly listeners = new Set<() => void>();
  private state: ImportState = {
    job: null,
    isLoaded: false,
    activity: null,
    isPersistent: true,
    error: null,
  };
  private stopping = new AbortController();
  private pause: PromiseWithResolvers<void> | null = null;
  private writes: { readonly jobId: string; readonly kept: KeptWrites } | null = null;
  private loading: Promise<void> | null = null;

  /** @param finished is called when a run has ended; null: it could not begin */
  constructor(api: Api, vault: Vault, withStepUp: StepUp['run'], finished: (report: Report | null) => void) {
    this.api = api;
    this.withStepUp = withStepUp;
    this.vault = vault;
    this.finished = finished;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): ImportState => this.state;

  /** Reads the stored import, and resumes one that was interrupted. */
  load(): Promise<void> {
    this.loading ??= (async () => {
      const job = await readJob(this.vault).catch(() => null);
      // One that was begun long ago may have been put back by somebody, so that the person has to continue it.
      const isInterrupted =
        job?.state === 'running' && job.askedAt !== null && !isOld(job.askedAt, Date.now());
      this.set({
        job: job?.state === 'running' && !isInterrupted ? { ...job, state: 'stopped' } : job,
        isLoaded: true,
      });
      if (job !== null && isInterrupted) void this.run({ ...job, wasContinued: true });
    })();
    return this.loading;
  }

  /**
   * Begins an import of other files.
   * @param given the settings to begin with; what they say of columns that a table does not have is left out
   */
  async choose(choice: Choice, given: ImportSettings | Promise<ImportSettings>): Promise<void> {
    this.stop();
    // While the files are being stored, nothing can be done with the import before. What is shown is there after a reload, or the page says that it is not kept.
    this.set({ isLoaded: false });
    const first = await given;
    const { map, key, columnSettings } = first;
    const refersToColumns = map.length > 0 || key !== null || Object.keys(columnSettings).length > 0;
    const settings = refersToColumns ? await forColumns(choice, first) : first;
    const job: ImportJob = {
      id: makeIdempotencyKey(),
      choice,
      settings,
      askedAt: null,
      state: 'open',
      wasContinued: false,
      check: null,
      report: null,
      rejected: null,
    };
    const isPersistent = await storeJob(this.vault, job).catch(() => false);
    // The database has a copy of the files, which no program changes any more.
    const stored = isPersistent ? await readJob(this.vault).catch(() => null) : null;
    this.set({ job: stored?.id === job.id ? stored : job, isPersistent, isLoaded: true });
  }

  /** Changes settings, so that a dry run is needed again. */
  async change(settings: Partial<ImportSettings>): Promise<void> {
    const { job, isLoaded } = this.state;
    if (job?.state !== 'open' || !isLoaded) return;
    this.stop();
    await this.update({ ...job, settings: { ...job.settings, ...settings }, check: null });
  }

  /** Forgets the import. What was written stays. */
  async discard(): Promise<void> {
    this.stop();
    this.set({ job: null });
    await removeJob(this.vault).catch(() => undefined);
  }

  /** Does the dry run. */
  async check(): Promise<void> {
    const { job } = this.state;
    if (job === null) return;
    const { signal } = this.begin('check');
    const report = await this.perform(job, true, { signal, paused: () => null }, null);
    if (signal.aborted) return;
    this.set({ activity: null });
    if (report !== null) await this.update({ ...(this.state.job ?? job), check: report });
  }

  /** Ends a dry run. */
  cancelCheck(): void {
    this.stop();
  }

  /** Begins the import, or continues one that was stopped: rows that were imported are found and stay as they are. */
  async start(): Promise<void> {
    const { job } = this.state;
    if (job !== null) await this.run({ ...job, askedAt: Date.now(), wasContinued: job.state !== 'open' });
  }

  async hold(): Promise<void> {
    const { job, activity } = this.state;
    if (job === null || activity?.kind !== 'run') return;
    this.pause ??= Promise.withResolvers();
    await this.update({ ...job, state: 'paused' });
  }

  async resume(): Promise<void> {
    const { job } = this.state;
    const { pause } = this;
    if (pause === null || job === null) return this.start();
    await this.update({ ...job, state: 'running' });
    pause.resolve();
    if (this.pause === pause) this.pause = null;
  }

  /** Undoes the import; what was undone before an interruption is not undone again. */
  async undo(): Promise<void> {
    const { job, activity } = this.state;
    const importId = job?.report?.importId ?? null;
    if (job === null || importId === null || activity !== null) return;
    const { signal } = this.begin('undo');
    const entries = await this.writesOf(job.id).read();
    try {
      const client = toImportClient(this.api, this.withStepUp);
      const undone = await undoImport(client, importId, entries);
      if (!signal.aborted) await this.update({ ...job, undone });
    } catch (error) {
      if (!signal.aborted) this.set({ error });
    }
    if (!signal.aborted) this.set({ activity: null });
  }

  /** The writes of an import. */
  private writesOf(jobId: string): KeptWrites {
    if (this.writes?.jobId !== jobId) this.writes = { jobId, kept: new KeptWrites(this.vault, jobId) };
    return this.writes.kept;
  }

  private async run(job: ImportJob): Promise<void> {
    const { signal } = this.begin('run');
    await this.update({ ...job, state: 'running', report: null, rejected: null });
    await this.takeLock(signal, () => this.importRows(job.id, signal));
  }

  /** Imports the rows, in the tab that has the lock. */
  private async importRows(id: string, signal: AbortSignal): Promise<void> {
    // Another tab may have finished it in the meantime.
    const job = await this.readCurrent();
    if (signal.aborted) return;
    if (job?.id !== id || job.state !== 'running') {
      this.set({ job, activity: null });
      return;
    }
    const destination = new RejectedRowsFile();
    const control = { signal, paused: () => this.pause?.promise ?? null };
    const report = await this.perform(job, false, control, destination);
    if (signal.aborted) return;
    this.set({ activity: null });
    const state = report?.stopped === null ? 'done' : 'stopped';
    await this.update({ ...job, state, report, rejected: destination.toFile(job.choice) });
    this.finished(report);
  }

  /** Works while this tab has the lock, for which it may have to wait. */
  private async takeLock(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const name = `trellis.import.${this.vault.owner}`;
    const isDone = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await work();
      return lock !== null;
    });
    if (isDone || signal.aborted) return;
    this.set({ activity: { kind: 'run', progress: noRows, isElsewhere: true } });
    await navigator.locks.request(name, { signal }, work).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  /** Runs the engine. @returns null when it could not begin */
  private async perform(
    { id, choice, settings }: ImportJob,
    dryRun: boolean,
    control: Control,
    rejected: RejectedRows | null,
  ): Promise<Report | null> {
    let shown = 0;
    try {
      const source = readInTurns(await openChoice(choice, readingOf(settings)), control);
      return await runImport(source, toOptions(choice, settings, id, dryRun), {
        client: toImportClient(this.api, this.withStepUp),
        rejected,
        journal: this.writesOf(id).note,
        origin: location.origin,
        onProgress: (progress) => {
          const now = performance.now();
          if (now - shown < progressMs || control.signal.aborted) return;
          shown = now;
          this.set({ activity: { kind: dryRun ? 'check' : 'run', progress, isElsewhere: false } });
        },
      });
    } catch (error) {
      if (!control.signal.aborted) this.set({ error });
      return null;
    }
  }

  private begin(kind: Activity['kind']): AbortController {
    this.stop();
    this.stopping = new AbortController();
    this.set({ activity: { kind, progress: noRows, isElsewhere: false }, error: null });
    return this.stopping;
  }

  /** Stops the current run. An import resumes when the page is opened again. */
  stop(): void {
    this.stopping.abort();
    this.pause?.resolve();
    this.pause = null;
    this.set({ activity: null, error: null });
  }

  /** Shows what became of an import, and keeps it unless another tab has begun another one. */
  private async update(job: ImportJob): Promise<void> {
    this.set({ job });
    this.set({ isPersistent: await updateJob(this.vault, job).catch(() => false) });
  }

  /** The import as all tabs know it; as this tab does when the browser does not keep it. */
  private async readCurrent(): Promise<ImportJob | null> {
    if (!this.state.isPersistent) return this.state.job;
    try {
      return await readJob(this.vault);
    } catch {
      this.set({ isPersistent: false });
      return this.state.job;
    }
  }

  private set(change: Partial<ImportState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

/** The settings without what they say of columns that a table does not have; other files have columns of their own in each row. */
async function forColumns(choice: Choice, settings: ImportSettings): Promise<ImportSettings> {
  const { map, key, columnSettings } = settings;
  // A header that cannot be used is reported with the settings.
  const columns = await openChoice(choice, readingOf(settings)).then(
    (source) => source.columns,
    (): readonly string[] => [],
  );
  if (columns === null) return settings;
  return {
    ...settings,
    map: map.filter(({ from }) => columns.includes(from)),
    key: key !== null && columns.includes(key) ? key : null,
    columnSettings: Object.fromEntries(
      Object.entries(columnSettings).filter(([column]) => columns.includes(column)),
    ),
  };
}
