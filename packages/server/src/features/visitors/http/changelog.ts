/**
 * The changelog of the visitor lookup's response, for programs. The newest entry names the current shape; `npm run
 * check` fails when the code has another one.
 */
import { createHash } from 'node:crypto';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import type { Schemas } from '../../../kernel/http/schemas.ts';

/** One entry of `GET /v1/changelogs/visitor-lookup`. */
export interface VisitorLookupChange {
  /** Day, `YYYY-MM-DD`. */
  readonly date: string;
  readonly kind: 'ADDED' | 'DEPRECATED' | 'REMOVED';
  /** `schema.member`, dotted; the schemas are visitor, identification and identifyBody. */
  readonly members: readonly string[];
  readonly summary: string;
  /** `shapeOf` the schemas after the change. */
  readonly shape: string;
}

/** All changes, the newest first. Entries are added, never edited. */
export const visitorLookupChanges: readonly VisitorLookupChange[] = [
  {
    date: '2026-11-21',
    kind: 'ADDED',
    members: ['visitor', 'identification', 'identifyBody'],
    summary:
      'The visitor lookup: the recognized visitor of a browser, with score, browser, device, and when it was first and last seen.',
    shape: '_oZkPdR_R8_AOGUnvl03mo',
  },
];

/** Keywords that say something about a shape without being part of it. */
const remarks = ['description', 'examples', 'title'];

/** Digest of the values that the schemas allow, ignoring texts and examples. */
export function shapeOf(schemas: Schemas): string {
  return createHash('sha256')
    .update(canonicalizeJson(bare(schemas)))
    .digest('base64url')
    .slice(0, 22);
}

function bare(value: unknown, isMembers = true): unknown {
  if (Array.isArray(value)) return value.map((item) => bare(item, false));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value as JsonSchema).filter(([key]) => isMembers || !remarks.includes(key));
  // Members may be named like keywords; the keys below `properties` are names.
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, bare(inner, !isMembers && key === 'properties')]),
  );
}

/** What is wrong with the changelog for the current schemas; null if nothing is. */
export function findSilentChange(schemas: Schemas, changes: readonly VisitorLookupChange[]): string | null {
  const shape = shapeOf(schemas);
  const [newest] = changes;
  if (newest?.shape !== shape) {
    return `The shape of the visitor lookup has changed to ${shape}, and its changelog does not say so. Add an entry with this shape to packages/server/src/features/visitors/http/changelog.ts.`;
  }
  const repeated = changes.some(
    (change, index) => changes.findIndex((other) => other.shape === change.shape) < index,
  );
  return repeated ? 'Two entries of the changelog of the visitor lookup name the same shape.' : null;
}
