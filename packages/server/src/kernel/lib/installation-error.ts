/** The errors of opening an installation. */

/** A problem that an operator has to fix; the message says what and how. */
export class InstallationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InstallationError';
  }
}
