/** A request as a `curl` command for a shell. */
import { etagOf } from '@trellis/client/response.ts';

interface Request {
  readonly method: string;
  /** Relative to the origin. */
  readonly path: string;
  readonly body?: object;
  readonly ifVersion?: number;
  readonly idempotencyKey?: string;
}

/** The command reads the token from the variable `TOKEN`. */
export function describeAsCurl({ method, path, body, ifVersion, idempotencyKey }: Request): string {
  const parts = [
    `curl -X ${method} ${quote(`${location.origin}${path}`)}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(idempotencyKey === undefined ? [] : [`-H ${quote(`Idempotency-Key: ${idempotencyKey}`)}`]),
    ...(ifVersion === undefined ? [] : [`-H ${quote(`If-Match: ${etagOf(ifVersion)}`)}`]),
    ...(body === undefined
      ? []
      : [`-H ${quote('Content-Type: application/json')}`, `-d ${quote(JSON.stringify(body))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** Quotes a text for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
