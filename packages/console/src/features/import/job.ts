/**
 * The import of a person in an organization, with its files, in the browser's storage. Nothing else has to be kept: the importer
 * derives its keys from the rows, so an import that was interrupted is run again from the beginning.
 */
import type { ChangeOptions } from '@trellis/importer/changes.ts';
import type { ColumnChoices } from '@trellis/importer/columns.ts';
import type { EngineReport } from '@trellis/importer/report.ts';
import type { UndoReport } from '@trellis/importer/undo.ts';
import type { Vault } from '../../storage/vault.ts';
import type { Choice, ChosenFile, TableSettings } from './files.ts';

export type Report = EngineReport;

/** What a person decides about an import. */
export interface ImportSettings extends ColumnChoices, ChangeOptions, TableSettings {
  /** Name of the resource; null for a file of an export, whose rows contain it. */
  readonly resource: string | null;
  /** Id of the parent of all records, such as a site. */
  readonly parentId: string | null;
  /** Name of the sheet of a workbook, or of the list in a file; null for the first or longest one. */
  readonly sheet?: string | null;
}

export interface ImportJob {
  /** New for each choice of files. */
  readonly id: string;
  readonly choice: Choice;
  readonly settings: ImportSettings;
  /** `open`: nothing was written yet. `stopped`: it ended early, and can be continued. */
  /** When the person has begun or continued it last, in milliseconds since 1970; null before. */
  readonly askedAt: number | null;
  readonly state: 'open' | 'running' | 'paused' | 'stopped' | 'done';
  /** Whether it was interrupted and run again. */
  readonly wasContinued: boolean;
  /** Of the dry run with these settings; null before it. */
  readonly check: Report | null;
  /** Null until it has ended. */
  readonly report: Report | null;
  /** What undoing it did; null or absent before. */
  readonly undone?: UndoReport | null;
  /** The file of rejected rows; null without any. */
  readonly rejected: File | null;
}

/** What is stored of it beside its files, of which it has the paths; `pending/unfinished.ts` counts them. */
interface StoredJob extends Omit<ImportJob, 'choice' | 'rejected'> {
  readonly format: Choice['format'];
  readonly paths: readonly string[];
}

/** The import; null without one. */
export async function readJob(vault: Vault): Promise<ImportJob | null> {
  const stored = await vault.find<StoredJob>(['import']);
  if (stored === null) return null;
  const { format, paths, ...job } = stored;
  const files: ChosenFile[] = [];
  for (const [index, path] of paths.entries()) {
    const file = await vault.file(['import-file', job.id, index]);
    if (file === null) return null;
    files.push({ path, file });
  }
  const rejected = await vault.file(['import-file', job.id, 'rejected']);
  return { ...job, choice: { format, files }, rejected };
}

/** Keeps an import in place of the last one. @throws DOMException when the browser cannot keep it */
export function storeJob(vault: Vault, job: ImportJob): Promise<boolean> {
  return vault.exclusively('import', async () => {
    await vault.write([
      { remove: ['import-file'] },
      ...job.choice.files.map(({ file }, index) => ({ put: ['import-file', job.id, index], file }) as const),
      { put: ['import'], value: toStored(job) },
    ]);
    return true;
  });
}

/**
 * Keeps what became of an import, if the browser still has it: in another tab it may have been discarded, or another one begun.
 * @returns whether it is kept
 * @throws DOMException when the browser cannot keep it
 */
export function updateJob(vault: Vault, job: ImportJob): Promise<boolean> {
  return vault.exclusively('import', async () => {
    const stored = await vault.find<StoredJob>(['import']);
    if (stored?.id !== job.id) return false;
    const { id, rejected } = job;
    const place = ['import-file', id, 'rejected'] as const;
    await vault.write([
      { put: ['import'], value: toStored(job) },
      rejected === null ? { remove: place } : { put: place, file: rejected },
    ]);
    return true;
  });
}

export function removeJob(vault: Vault): Promise<void> {
  return vault.write([{ remove: ['import'] }, { remove: ['import-file'] }]);
}

function toStored({ choice, rejected: _, ...job }: ImportJob): StoredJob {
  return { ...job, format: choice.format, paths: choice.files.map(({ path }) => path) };
}
