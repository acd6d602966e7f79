/**
 * Why: a parser that asks for too much at once gets an ordinary error, which looks like that of a damaged file.
 */

/** Whether an error says that a buffer, array or string is larger than there may be. */
export function isOutOfMemory(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(?:Array buffer allocation failed|Invalid (?:typed )?array length|Invalid string length)/.test(
      error.message,
    )
  );
}
