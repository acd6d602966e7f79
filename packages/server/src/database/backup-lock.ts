/**
 * Advisory locks of backups and restores, in SQL. A backup holds `backupLock` from before its snapshot until the last file
 * content is copied; who removes the content of a file tries the same lock as a shared one, and keeps the content if there is a
 * backup.
 */
export const backupLock = `hashtext('trellis backup')`;

/** Held while a database is restored. */
export const restoreLock = `hashtext('trellis restore')`;
