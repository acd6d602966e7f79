/**
 * The reasons why a file gives no text: a closed list, so that programs can tell them apart, each with a sentence for whoever
 * uploaded the file that says what to do. What the parser said is for the log only.
 */

/** Every reason why a file gives no text, and what a person is told. The names are contract and never renamed. */
export const extractionReasons = {
  ENCRYPTED: 'The file is protected by a password. Upload a copy without one.',
  DAMAGED: 'The file is damaged or incomplete, or is not what it begins like. Upload it again.',
  TOO_LARGE: 'The file unpacks to more than may be read. Split it into smaller files.',
  TOO_DEEP:
    'The file has elements inside of one another deeper than may be read. Save it anew in a word processor.',
  TIME_LIMIT:
    'Reading the file took more processor time than a file of its size may take. Save it anew, or split it into smaller files.',
  MEMORY_LIMIT: 'Reading the file took more memory than it may. Split it into smaller files.',
  UNSUPPORTED_TYPE: 'Text is read from PDF, DOCX, HTML, Markdown, CSV and plain text only.',
  EMPTY: 'The file has no text. A scanned document needs text recognition (OCR) before it is uploaded.',
} as const satisfies Record<string, string>;

/** A stable code that says why a file gives no text. */
export type ExtractionReason = keyof typeof extractionReasons;

/** Whether something is the name of a reason. */
export function isExtractionReason(value: unknown): value is ExtractionReason {
  return typeof value === 'string' && Object.hasOwn(extractionReasons, value);
}

/** The file gives no text, and would not if it were tried again. Any other error says that the machine failed. */
export class ExtractionError extends Error {
  readonly reason: ExtractionReason;
  /** What the parser or the system said: for the log, never for the client, since it may quote the file. */
  readonly detail: string | null;

  constructor(reason: ExtractionReason, detail: string | null = null) {
    super(extractionReasons[reason]);
    this.name = 'ExtractionError';
    this.reason = reason;
    this.detail = detail;
  }
}
