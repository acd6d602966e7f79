/** Removes what a picture says besides what it shows, without a change of any pixel, and tells what that was. */
import type { PictureMediaType } from '../pictures.ts';
import { cleanAvif } from './avif.ts';
import { cleanGif } from './gif.ts';
import { cleanJpeg } from './jpeg.ts';
import { type Part, type Parts, textAt, viewOf } from './parts.ts';
import { cleanPng } from './png.ts';
import { cleanWebp } from './webp.ts';

/** What a picture can say besides what it shows: where it was taken, with which camera, and anything else. */
export type PictureStatement = 'place' | 'camera' | 'other';

const cleaners: Readonly<Partial<Record<PictureMediaType, (bytes: Uint8Array) => Parts>>> = {
  'image/jpeg': cleanJpeg,
  'image/png': cleanPng,
  'image/gif': cleanGif,
  'image/webp': cleanWebp,
  'image/avif': cleanAvif,
  'image/heic': cleanAvif,
  'image/heif': cleanAvif,
};

/**
 * The parts of a picture without its metadata. Colors and animations stay; that it is to be turned does not.
 * @throws Error for a picture that cannot be read, and TIFF
 */
export function withoutMetadata(bytes: Uint8Array, mediaType: PictureMediaType): readonly Part[] {
  const clean = cleaners[mediaType];
  if (clean === undefined) throw new Error('Metadata cannot be removed from this kind of picture.');
  return clean(bytes).kept;
}

/** What a picture says, in a fixed order; as much as can be found in one that is damaged. */
export function findStatements(bytes: Uint8Array, mediaType: PictureMediaType): readonly PictureStatement[] {
  const found = new Set(removedFrom(bytes, mediaType).flatMap(statementsOf));
  // The whole file was looked at, which always says more.
  if (cleaners[mediaType] === undefined) found.delete('other');
  return (['place', 'camera', 'other'] as const).filter((statement) => found.has(statement));
}

function removedFrom(bytes: Uint8Array, mediaType: PictureMediaType): readonly Uint8Array[] {
  try {
    return cleaners[mediaType]?.(bytes).removed ?? [bytes];
  } catch {
    return [bytes];
  }
}

/** Fields of XMP (ISO 16684) and IPTC that name a place. */
const places = /GPSLatitude|photoshop:City|Iptc4xmpCore:Location|LocationShown|LocationCreated/;
const cameras = /tiff:Model|tiff:Make|aux:Lens/;
/** Tags of the first directory of EXIF. */
const placeTag = 0x8825;
const cameraTags = [0x010f, 0x0110];

function statementsOf(metadata: Uint8Array): PictureStatement[] {
  const tags = exifTagsOf(metadata);
  const text = new TextDecoder('latin1').decode(metadata);
  const statements: PictureStatement[] = [];
  if (tags.has(placeTag) || places.test(text)) statements.push('place');
  if (cameraTags.some((tag) => tags.has(tag)) || cameras.test(text)) statements.push('camera');
  // Bytes without any content, as programs leave them for later.
  const isEmpty = metadata.every((byte) => byte === 0);
  return statements.length > 0 || isEmpty ? statements : ['other'];
}

/** How far from the beginning of metadata EXIF begins, at most. */
const longestPrefix = 64;

/** The tags of the first directory (TIFF 6.0, 2). */
function exifTagsOf(metadata: Uint8Array): ReadonlySet<number> {
  const tags = new Set<number>();
  const start = textAt(metadata, 0, longestPrefix).search(/II\*\0|MM\0\*/);
  if (start === -1) return tags;
  const view = viewOf(metadata.subarray(start));
  const isLittle = view.getUint8(0) === 0x49;
  try {
    const directory = view.getUint32(4, isLittle);
    const count = view.getUint16(directory, isLittle);
    for (let entry = 0; entry < count; entry += 1)
      tags.add(view.getUint16(directory + 2 + entry * 12, isLittle));
  } catch {
    // The directory ends with the metadata.
  }
  return tags;
}
