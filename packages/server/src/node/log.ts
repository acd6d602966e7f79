/** Why: all processes log in one form, to standard error: what is said on standard output is for people and programs. */
import { type Logger, pino } from 'pino';
import type { LogLevel } from '../config/values.ts';

/** JSON lines with the process's id. */
export function createLog({ logLevel }: { readonly logLevel: LogLevel }): Logger {
  return pino({ level: logLevel, base: { pid: process.pid } }, pino.destination({ dest: 2, sync: false }));
}
