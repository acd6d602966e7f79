/**
 * Headers that tell browsers to do as little as possible with a response: to believe its type, to run and load nothing, to show it
 * in no frame and to tell nobody its address. Pages that need more replace the policy by their own.
 */
import type { ProblemAddresses } from './problems.ts';

/** How long browsers use this host over TLS only, in seconds: a year. */
const transportSeconds = 31_536_000;

/** Those that do not depend on the address of the server. */
export const everywhere = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;
const overTls = { ...everywhere, 'strict-transport-security': `max-age=${transportSeconds}` } as const;

/** The headers of every response. */
export function protectiveHeaders({ origin }: ProblemAddresses): Readonly<Record<string, string>> {
  return origin.startsWith('https:') ? overTls : everywhere;
}
