/** Turns errors of the file system into messages that tell an operator what is wrong with the disk. */
import { ObjectStoreError } from './object-store.ts';

/** The error for a failed operation on files below a folder. */
export function describeDiskFailure(folder: string, cause: unknown): ObjectStoreError {
  return new ObjectStoreError('unavailable', `The files in ${folder} ${describe(cause)}.`, cause);
}

/** Whether an operation failed because there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

/** The system's name of an error, such as ENOENT. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function describe(error: unknown): string {
  const code = codeOf(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'cannot be written: the disk or the quota is full';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be used: this user lacks permission';
    case 'EROFS':
      return 'cannot be written: the disk is read-only';
    case 'EMFILE':
    case 'ENFILE':
      return 'cannot be opened: too many files are open';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'cannot be used: there is a file where a folder is needed';
    default:
      return `cannot be used (${code === '' ? String(error) : code})`;
  }
}
