/**
 * The conditions of reads (RFC 9110, 13): `If-Match`, then `If-None-Match`, before `Range` and `If-Range`. Conditions of dates are
 * ignored, because nothing has a date of modification: responses have no `Last-Modified` (13.1.3, 13.1.4).
 */
import { Problem } from '@trellis/schema/problem.ts';
import {
  type EntityTags,
  matchesStrongly,
  matchesWeakly,
  readPreconditions,
} from '../pipeline/entity-tags.ts';
import type { ReceivedRequest } from './operation.ts';

/** What a tag names. */
export type Comparison =
  /** Exactly these bytes, of which parts can be requested. */
  | 'bytes'
  /** A version: a tag that a proxy has changed while compressing still names it. */
  | 'version';

/**
 * Whether the copy that the caller has is current, so that the response is 304.
 * @param etag the present tag with its quotes; null where there is none
 * @throws Problem version_mismatch, invalid_header
 */
export function isUnchanged(
  { headers }: Pick<ReceivedRequest, 'headers'>,
  etag: string | null,
  comparison: Comparison = 'version',
): boolean {
  const { ifMatch, ifNoneMatch } = readPreconditions(headers);
  const opaque = etag === null ? null : etag.slice(1, -1);
  if (ifMatch !== undefined && !names(ifMatch, opaque, comparison)) {
    const detail =
      etag === null ? 'There is no ETag here that `If-Match` could name.' : `The ETag is ${etag} now.`;
    throw new Problem('version_mismatch', detail, etag === null ? {} : { headers: { etag } });
  }
  return etag !== null && ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, opaque);
}

function names(tags: EntityTags, opaque: string | null, comparison: Comparison): boolean {
  if (opaque === null) return tags.any;
  return comparison === 'bytes' ? matchesStrongly(tags, opaque) : matchesWeakly(tags, opaque);
}
