/** Recognizes out-of-memory errors, which would otherwise look like errors of a damaged file. */

/** Whether an error says that a buffer, array or string exceeds the maximum size. */
export function isOutOfMemory(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(?:Array buffer allocation failed|Invalid (?:typed )?array length|Invalid string length)/.test(
      error.message,
    )
  );
}
