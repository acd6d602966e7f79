/** The errors of an import: those of one row, and those that end it. */

/** A row cannot become a record. Each reason is a sentence that names the field. */
export class RowRejected extends Error {
  readonly reasons: readonly string[];
  /** Null when the row was rejected before its externalId was known. */
  readonly externalId: string | null;

  constructor(reasons: readonly string[], externalId: string | null = null) {
    super(reasons.join(' '));
    this.name = 'RowRejected';
    this.reasons = reasons;
    this.externalId = externalId;
  }
}

/** A row refers to a record that does not exist yet; it may be further down in the file. */
export class PendingReference extends RowRejected {}

/** The import cannot continue: the server is unreachable, or refuses the caller rather than a row. */
export class ImportStopped extends Error {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'ImportStopped';
  }
}
