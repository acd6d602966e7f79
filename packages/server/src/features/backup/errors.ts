/** A backup or a restore that cannot be made or trusted; the message says what is wrong and what to do. */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupError';
  }
}
