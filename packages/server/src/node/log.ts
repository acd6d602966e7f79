/** The log: JSON lines on standard error. Standard output is for the results of commands. */
import { type Logger, pino } from 'pino';
import type { LogLevel } from '../kernel/config/values.ts';
import { currentTraceId } from '../kernel/lib/tracing.ts';

/** JSON lines with the process's id and, in traced work, the id of its trace. */
export function createLog({ logLevel }: { readonly logLevel: LogLevel }): Logger {
  const mixin = (given: object) => ('traceId' in given ? {} : { traceId: currentTraceId() });
  return pino(
    { level: logLevel, base: { pid: process.pid }, mixin },
    pino.destination({ dest: 2, sync: false }),
  );
}
