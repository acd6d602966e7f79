/** Reading the query strings of requests. */

import { describeFaults, Problem } from '@trellis/schema/problem.ts';
import { checkParameters } from '@trellis/schema/validation/check-parameters.ts';
import type { QueryParameter } from './operation.ts';

/** The normalized values of the given parameters, as texts. */
export type Parameters = Readonly<Record<string, string>>;

/**
 * Reads a query string.
 * @throws Problem unknown_parameter, invalid_parameter, with every fault at once, as many as `checkParameters` finds
 */
export function readParameters(query: string, known: readonly QueryParameter[]): Parameters {
  const { values, unknown, invalid } = checkParameters(query, known);
  if (unknown.length > 0) {
    const detail = unknown
      .slice(0, 5)
      .map((fault) => fault.detail)
      .join(' ');
    throw new Problem('unknown_parameter', detail, { errors: [...unknown, ...invalid] });
  }
  if (invalid.length > 0) {
    throw new Problem('invalid_parameter', describeFaults(invalid), { errors: invalid });
  }
  return values;
}
