/** The log: JSON lines on standard error. Standard output is for the results of commands. */
import { type Logger, pino } from 'pino';
import type { LogLevel } from '../config/values.ts';

/** JSON lines with the process's id. */
export function createLog({ logLevel }: { readonly logLevel: LogLevel }): Logger {
  return pino({ level: logLevel, base: { pid: process.pid } }, pino.destination({ dest: 2, sync: false }));
}
