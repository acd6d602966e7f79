/** The error of invalid command-line options. In a file of its own, so that browser code can throw it too. */

/** The command line is invalid: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
