/**
 * The reasons why a file gives no text: a closed list with a sentence for the person who uploaded the file. Details from
 * the parser are only logged.
 */

/** Every reason, with what the user can do. The names are part of the contract and are never changed. */
export const extractionReasons = {
  ENCRYPTED: 'The file is protected by a password. Upload a copy without one.',
  DAMAGED: 'The file is damaged, incomplete, or not of the type it appears to be. Upload it again.',
  TOO_LARGE: 'The file unpacks to more than the limit. Split it into smaller files.',
  TOO_MANY_PIXELS:
    'The picture has more pixels than the limit, in all its frames together. Upload a smaller copy.',
  TOO_DEEP: 'The elements of the file are nested too deeply. Save it again in a word processor.',
  TIME_LIMIT:
    'Reading the file took more processor time than allowed for its size. Save it again, or split it into smaller files.',
  MEMORY_LIMIT: 'Reading the file took more memory than allowed. Split it into smaller files.',
  UNSUPPORTED_TYPE:
    'No text is extracted from files of this type. Save it as PDF, DOCX, XLSX, PPTX, OpenDocument, EPUB, RTF, HTML, an e-mail message (EML), Markdown, CSV or plain text.',
} as const satisfies Record<string, string>;

/** A stable code that says why a file gives no text. */
export type ExtractionReason = keyof typeof extractionReasons;

/** Whether something is the name of a reason. */
export function isExtractionReason(value: unknown): value is ExtractionReason {
  return typeof value === 'string' && Object.hasOwn(extractionReasons, value);
}

/** No text can be extracted from the file, also not by another attempt. Any other error is a failure of the server. */
export class ExtractionError extends Error {
  readonly reason: ExtractionReason;
  /** The message of the parser or the system: for the log, never for the client, since it may quote the file. */
  readonly detail: string | null;

  constructor(reason: ExtractionReason, detail: string | null = null) {
    super(extractionReasons[reason]);
    this.name = 'ExtractionError';
    this.reason = reason;
    this.detail = detail;
  }
}
