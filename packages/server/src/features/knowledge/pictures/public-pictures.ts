/**
 * Public pictures, and renditions in the database. What is public is read for each request, so that a picture that was taken back
 * is gone on all nodes at once. Members also get a rendition of the pictures that only they see. Renditions can be made again from the picture
 * at any time; they are no data of the organization, and have no events.
 */
import { limits } from '@trellis/schema/resources/limits.ts';
import type { PictureAddress } from '@trellis/schema/resources/pictures.ts';
import { isPicture, type PictureMediaType } from '@trellis/schema/values/pictures.ts';
import { type Statement, step } from '../../../kernel/database/batch.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { defineRow, flag, nullable, number, text } from '../../../kernel/database/row.ts';
import { lockNumber } from '../../../kernel/pipeline/locks.ts';
import { seeAllRecords } from '../../../kernel/pipeline/see-all-records.ts';

/** Bytes in the object store that readers get. */
export interface PictureContent {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly mediaType: PictureMediaType;
  readonly sizeBytes: number;
}

/** A picture that renditions are made of. Ids are uuids. */
export interface Picture {
  readonly organizationId: string;
  readonly fileId: string;
  readonly original: PictureContent;
  /** In percent. */
  readonly focalPoint: { readonly x: number; readonly y: number };
  /** Width by height, as people see it; null for one that was not read. */
  readonly aspectRatio: number | null;
}

/** Names a rendition of a picture, for somebody who may see it. */
export interface RenditionKey {
  readonly picture: Picture;
  /** The member (uuid) who asks for it; null for the public, whose picture must be public. */
  readonly userId: string | null;
  readonly variant: string;
}

/** A rendition that was made, that could not be made, or neither (null). */
export type RenditionState = PictureContent | 'failed' | null;

const pictureRow = defineRow({
  sha256: text('f.sha256'),
  mediaType: text('f.media_type'),
  sizeBytes: number('f.size_bytes'),
  aspectRatio: nullable(number('f.width::float8 / f.height')),
  focalX: number(`coalesce((f.focal_point->>'x')::integer, 50)`),
  focalY: number(`coalesce((f.focal_point->>'y')::integer, 50)`),
});
const readPicture: Statement = {
  name: 'public_picture',
  text: `SELECT ${pictureRow.list}
    FROM trellis.knowledge_files f JOIN trellis.organizations o
      ON o.id = f.organization_id AND o.status = 'ACTIVE' AND 'knowledge' = ANY (o.modules)
    WHERE f.organization_id = $1 AND f.id = $2 AND f.public_since IS NOT NULL`,
};
const renditionRow = defineRow({
  sha256: text(`coalesce(sha256, '')`),
  mediaType: text(`coalesce(media_type, '')`),
  sizeBytes: number('coalesce(size_bytes, 0)'),
  failed: flag('failed AND claimed_until > clock_timestamp()'),
});
/** The variant of the whole picture without metadata. */
export const wholeVariant = 'whole';
/** The variants whose rows say that something cannot be made: of all sizes together, and of the whole picture. */
const failedSizes = '';
const failedWhole = 'whole-failed';

/** Which variant says that another one cannot be made. Metadata are removed without a decoder, so they may be where no size can be made. */
export function failureOf(variant: string): string {
  return variant === wholeVariant ? failedWhole : failedSizes;
}
const readRendition: Statement = {
  name: 'picture_rendition',
  text: `SELECT ${renditionRow.list} FROM trellis.picture_renditions
    WHERE organization_id = $1 AND file_id = $2 AND variant IN ($3, $5) AND source = $4`,
};
const claim: Statement = {
  name: 'claim_picture_rendition',
  text: `INSERT INTO trellis.picture_renditions AS r
      (organization_id, file_id, variant, source, claim, claimed_until, failed)
    SELECT f.organization_id, f.id, $3, f.sha256, $5::uuid, statement_timestamp() + make_interval(secs => $6), false
    FROM trellis.knowledge_files f
    WHERE f.organization_id = $1 AND f.id = $2 AND f.sha256 = $4 AND (f.public_since IS NOT NULL OR $7::boolean)
    ON CONFLICT (organization_id, file_id, variant) DO UPDATE
      SET source = excluded.source, claim = excluded.claim, claimed_until = excluded.claimed_until, failed = false,
        sha256 = NULL, media_type = NULL, size_bytes = NULL, made_at = NULL
      WHERE r.source <> excluded.source
        OR r.sha256 IS NULL AND r.claimed_until <= statement_timestamp()`,
};
const ofClaim = 'organization_id = $1 AND file_id = $2 AND variant = $3 AND claim = $4 AND sha256 IS NULL';
const complete: Statement = {
  name: 'complete_picture_rendition',
  text: `UPDATE trellis.picture_renditions
    SET sha256 = $5, media_type = $6, size_bytes = $7, made_at = statement_timestamp() WHERE ${ofClaim}
      AND EXISTS (SELECT FROM trellis.knowledge_files f
        WHERE f.organization_id = $1 AND f.id = $2 AND f.sha256 = source AND (f.public_since IS NOT NULL OR $8::boolean))`,
};
const fail: Statement = {
  name: 'fail_picture_renditions',
  text: `INSERT INTO trellis.picture_renditions AS r
      (organization_id, file_id, variant, source, claim, claimed_until, failed)
    SELECT organization_id, file_id, $6, source, claim, statement_timestamp() + make_interval(secs => $5), true
    FROM trellis.picture_renditions WHERE ${ofClaim}
    ON CONFLICT (organization_id, file_id, variant) DO UPDATE
      SET source = excluded.source, claim = excluded.claim, claimed_until = excluded.claimed_until`,
};
const release: Statement = {
  name: 'release_picture_rendition',
  text: `DELETE FROM trellis.picture_renditions WHERE ${ofClaim}`,
};
const forget: Statement = {
  name: 'forget_picture_rendition',
  text: `DELETE FROM trellis.picture_renditions WHERE organization_id = $1 AND file_id = $2 AND sha256 = $3`,
};
const lockObject: Statement = {
  name: 'lock_picture_object',
  text: 'SELECT pg_advisory_xact_lock_shared($1)',
};
const evictedRow = defineRow({ sha256: text('sha256') });
// Renditions of one picture are counted from the newest, bytes of all renditions likewise. A picture without metadata is stored as uploaded.
const evict: Statement = {
  name: 'evict_picture_renditions',
  text: `DELETE FROM trellis.picture_renditions r
    USING (
      SELECT file_id, variant,
        row_number() OVER (PARTITION BY file_id ORDER BY made_at DESC, variant) AS position,
        sum(CASE WHEN sha256 = source THEN 0 ELSE size_bytes END) OVER (ORDER BY made_at DESC, file_id, variant) AS bytes
      FROM trellis.picture_renditions WHERE organization_id = $1 AND sha256 IS NOT NULL
    ) kept
    WHERE r.organization_id = $1 AND r.file_id = kept.file_id AND r.variant = kept.variant
      AND (kept.file_id = $2 AND kept.position > $3 OR kept.bytes > $4)
    RETURNING r.sha256`,
};

/** Row-level security shows what the member may see; without one, what every member may see. */
function scopeOf({ picture, userId }: Omit<RenditionKey, 'variant'>) {
  return { organizationId: picture.organizationId, userId };
}

/** Whether the picture need not be public. */
function isForMember({ userId }: RenditionKey): string {
  return String(userId !== null);
}

function valuesOf({ picture, variant }: RenditionKey): string[] {
  return [picture.organizationId, picture.fileId, variant];
}

/** Reads a picture that is public now, whichever content the address names; null for anything else. */
export async function readPublicPicture(
  database: Database,
  { organizationId, fileId }: PictureAddress,
): Promise<Picture | null> {
  const read = step(readPicture, [organizationId, fileId]);
  const row = pictureRow.first(await database.queryUnauthenticated(organizationId, read));
  if (row === undefined || !isPicture(row.mediaType)) return null;
  const { sha256, mediaType, sizeBytes } = row;
  return {
    organizationId,
    fileId,
    original: { sha256, mediaType, sizeBytes },
    focalPoint: { x: row.focalX, y: row.focalY },
    aspectRatio: row.aspectRatio,
  };
}

/** Reads whether a rendition was made, or cannot be made. */
export async function readRenditionState(database: Database, key: RenditionKey): Promise<RenditionState> {
  const { organizationId, original } = key.picture;
  const read = step(readRendition, [...valuesOf(key), original.sha256, failureOf(key.variant)]);
  const [result] =
    key.userId === null
      ? [await database.queryUnauthenticated(organizationId, read)]
      : await database.query(scopeOf(key), [read]);
  const rows = renditionRow.all(result);
  const made = rows.find((row) => row.sha256 !== '');
  if (made === undefined) return rows.some((row) => row.failed) ? 'failed' : null;
  const { sha256, mediaType, sizeBytes } = made;
  return isPicture(mediaType) ? { sha256, mediaType, sizeBytes } : null;
}

/**
 * Claims the making of a rendition that nobody has made, or is making.
 * @param claimId a new uuid
 * @returns false if it was made, is claimed, or the picture is not public any more
 */
export async function claimRendition(
  database: Database,
  key: RenditionKey,
  claimId: string,
  seconds: number,
): Promise<boolean> {
  const { original } = key.picture;
  const values = [...valuesOf(key), original.sha256, claimId, String(seconds), isForMember(key)];
  const [result] = await database.execute(scopeOf(key), [step(claim, values)]);
  return result?.affected === 1;
}

/**
 * Records a rendition, under the lock with which the sweep removes unreferenced bytes.
 * @param isStored whether the bytes are in the object store
 * @returns the hashes of bytes of renditions that had to give way; null if the claim is lost or the bytes are gone
 */
export async function completeRendition(
  database: Database,
  key: RenditionKey,
  claimId: string,
  content: PictureContent,
  isStored: () => Promise<boolean>,
): Promise<readonly string[] | null> {
  const { organizationId, fileId } = key.picture;
  const { sha256, mediaType, sizeBytes } = content;
  const lock = step(lockObject, [lockNumber(organizationId, sha256)]);
  return database.transaction(scopeOf(key), [lock], async (_rows, transaction) => {
    if (!(await isStored())) return null;
    const values = [...valuesOf(key), claimId, sha256, mediaType, String(sizeBytes), isForMember(key)];
    const most = [String(limits.pictureRenditions), String(limits.pictureRenditionBytes)];
    const [completed, , evicted] = await transaction.commit([
      step(complete, values),
      // The limit counts the renditions of all pictures, also of those that the member does not see.
      step(seeAllRecords),
      step(evict, [organizationId, fileId, ...most]),
    ]);
    return completed?.affected === 1 ? evictedRow.all(evicted).map((row) => row.sha256) : null;
  });
}

/** Records that no rendition can be made of a picture, or that its metadata cannot be removed, so that nobody tries for some seconds. */
export async function failRendition(
  database: Database,
  key: RenditionKey,
  claimId: string,
  seconds: number,
): Promise<void> {
  const ofClaim = [...valuesOf(key), claimId];
  await database.execute(scopeOf(key), [
    step(fail, [...ofClaim, String(seconds), failureOf(key.variant)]),
    step(release, ofClaim),
  ]);
}

/** Forgets the renditions with these bytes. @param sha256 hexadecimal */
export async function forgetRendition(
  database: Database,
  key: Omit<RenditionKey, 'variant'>,
  sha256: string,
): Promise<void> {
  const { organizationId, fileId } = key.picture;
  await database.execute(scopeOf(key), [step(forget, [organizationId, fileId, sha256])]);
}

/** Gives up a claim, so that somebody else can try at once. */
export async function releaseRendition(
  database: Database,
  key: RenditionKey,
  claimId: string,
): Promise<void> {
  await database.execute(scopeOf(key), [step(release, [...valuesOf(key), claimId])]);
}
