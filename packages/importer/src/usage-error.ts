/** The error of options that do not fit. A file of its own, so that code for browsers can throw it too. */

/** The words of the command line cannot be understood: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
