/** What an import has written, in the browser's storage, so that it can be undone after a reload as well. */
import type { JournalEntry } from '@trellis/importer/journal.ts';
import type { Vault } from '../../storage/vault.ts';

/** What is written while the browser stores what was written before. */
interface Chunk {
  readonly entries: readonly JournalEntry[];
}

/** The writes of one import. */
export class KeptWrites {
  private readonly vault: Vault;
  private readonly jobId: string;
  /** Of this page, for a browser that stores nothing. */
  private readonly known: JournalEntry[] = [];
  private waiting: JournalEntry[] = [];
  private storing: Promise<void> | null = null;

  constructor(vault: Vault, jobId: string) {
    this.vault = vault;
    this.jobId = jobId;
  }

  /** Keeps one write; resolves when it is stored, or the browser cannot store it. */
  readonly note = async (entry: JournalEntry): Promise<void> => {
    this.known.push(entry);
    this.waiting.push(entry);
    // Those that come meanwhile are stored together.
    await this.storing;
    this.storing ??= this.store();
    await this.storing;
  };

  /** All writes in order, those before a reload included. */
  async read(): Promise<readonly JournalEntry[]> {
    const chunks = await this.vault.all<Chunk>(this.place()).catch((): Chunk[] => []);
    const stored = chunks.flatMap(({ entries }) => entries);
    return stored.length >= this.known.length ? stored : this.known;
  }

  private async store(): Promise<void> {
    const entries = this.waiting;
    this.waiting = [];
    try {
      const number = await this.vault.nextNumber();
      await this.vault.write([{ put: [...this.place(), number], value: { entries } }]);
    } catch {
      // It can be undone as long as the page is open.
    }
    this.storing = null;
  }

  private place() {
    return ['import-file', this.jobId, 'writes'] as const;
  }
}
