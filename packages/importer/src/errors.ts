/** The errors of an import: those of one row, those that end it, and those of its options. */

/** A row cannot become a record. Each reason is a sentence that names the field. */
export class RowRejected extends Error {
  override readonly name = 'RowRejected';
  readonly reasons: readonly string[];
  /** Null when the row was rejected before its externalId was known. */
  readonly externalId: string | null;
  /** The values of the row by dotted name of their field, as far as they were read; null before that. */
  readonly values: ReadonlyMap<string, unknown> | null;

  constructor(
    reasons: readonly string[],
    externalId: string | null = null,
    values: ReadonlyMap<string, unknown> | null = null,
  ) {
    super(reasons.join(' '));
    this.reasons = reasons;
    this.externalId = externalId;
    this.values = values;
  }
}

/** A row refers to a record that does not exist yet; it may be further down in the file. */
export class PendingReference extends RowRejected {}

/** The import cannot continue: the server is unreachable, or refuses the caller rather than a row. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped';
}

/** The options of an import, or of a command, are invalid: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
