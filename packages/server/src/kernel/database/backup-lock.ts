/**
 * SQL of the advisory locks of backups and restores. A backup holds `backupLock` from before its snapshot until it has copied the last file
 * content. A process that deletes file contents tries the lock in shared mode, and keeps the content during a backup.
 */
export const backupLock = `hashtext('trellis backup')`;

/** Held while a database is restored. */
export const restoreLock = `hashtext('trellis restore')`;
