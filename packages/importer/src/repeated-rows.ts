/** Rows that stand for the records of earlier rows of the file: they are written one after the other, or rejected. */
import { RowRejected } from './errors.ts';
import type { Existing } from './existing.ts';

/** The record of a row, null in a dry run that would create it, and the time of the row's last change. */
export interface WrittenRow {
  readonly recordId: string | null;
  readonly changedAt: string | null;
}

/** An earlier row for the same record. */
export interface EarlierRow {
  /** Of the first such row. */
  readonly place: string;
  /** The key that both have; null where something else says that they stand for the same record. */
  readonly key: string | null;
}

/** What was written for the first row of each record, and for those after it, while later rows may change it. */
export class RepeatedRows {
  private readonly choice: Existing | 'reject';
  /** By the resource and the place of the first row. */
  private readonly written = new Map<string, Promise<WrittenRow | null>>();

  /** @param choice what happens with such rows */
  constructor(choice: Existing | 'reject') {
    this.choice = choice;
  }

  /** Notes that the first row of a record is being written, and the time of its last change. */
  note(
    resource: string,
    place: string,
    writing: Promise<Pick<WrittenRow, 'recordId'>>,
    changedAt: string | null,
  ): void {
    if (this.choice === 'reject') return;
    const written = writing.then(
      ({ recordId }) => ({ recordId, changedAt }),
      () => null,
    );
    this.written.set(`${resource} ${place}`, written);
  }

  /**
   * Writes a row when those before it for the same record have been written.
   * @param write gets the choice, and what was written; returns what the record is then
   * @throws RowRejected where such rows are rejected, or the first one was
   */
  async follow<T>(
    resource: string,
    { place, key }: EarlierRow,
    write: (
      choice: Existing,
      earlier: WrittenRow,
    ) => Promise<{ readonly result: T; readonly written: WrittenRow }>,
  ): Promise<T> {
    const name = `${resource} ${place}`;
    const before = this.written.get(name);
    const { choice } = this;
    if (choice === 'reject' || before === undefined) throw contradiction(place, key);
    const writing = before.then((earlier) => {
      if (earlier === null) throw contradiction(place, key);
      return write(choice, earlier);
    });
    this.written.set(
      name,
      writing.then(
        ({ written }) => written,
        () => before,
      ),
    );
    return (await writing).result;
  }
}

function contradiction(place: string, key: string | null): RowRejected {
  return new RowRejected([
    key === null
      ? `Stands for the same record as ${place}, with other values. Remove one of the two, or name a column that distinguishes them as its key.`
      : `externalId: "${key}" is also in an earlier row.`,
  ]);
}
