/**
 * Reads pictures, and makes their renditions: copies in another size and format, upright and without metadata. Only the decoder of the
 * type that was recognized is available, so that a file which is several things at once is read as that one or not at all.
 */
import { withoutMetadata } from '@trellis/schema/values/picture-metadata/metadata.ts';
import type { PictureMediaType } from '@trellis/schema/values/pictures.ts';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { ExtractionError } from './errors.ts';
import { readWhole } from './file.ts';
import { countScans } from './jpeg-scans.ts';
import type { ExtractionLimits } from './limits.ts';
import type { MadePicture, MadeRendition, PictureSize, Rendition } from './protocol.ts';

const decoders: Readonly<Record<PictureMediaType, string>> = {
  'image/jpeg': 'VipsForeignLoadJpegBuffer',
  'image/png': 'VipsForeignLoadPngBuffer',
  'image/webp': 'VipsForeignLoadWebpBuffer',
  'image/gif': 'VipsForeignLoadNsgifBuffer',
  'image/avif': 'VipsForeignLoadHeifBuffer',
  'image/tiff': 'VipsForeignLoadTiffBuffer',
  // The decoder that comes with `sharp` has no HEVC, which needs a licence; one that is installed with the system may.
  'image/heic': 'VipsForeignLoadHeifBuffer',
  'image/heif': 'VipsForeignLoadHeifBuffer',
};

/** Scans that a picture with as many pixels as it may have can have. Programs write about ten. */
const mostScansOfLargest = 16;

/** A picture with what its header says. Of an animation it is the first frame. */
interface OpenPicture extends PictureSize {
  readonly bytes: Uint8Array;
  readonly image: Sharp;
  /** Whether the file says that the picture is to be turned or mirrored. */
  readonly isTurned: boolean;
  readonly hasAlpha: boolean;
}

/**
 * Decodes a picture completely, so that one that is damaged or incomplete is found before it is shown to anybody.
 * @throws ExtractionError TOO_MANY_PIXELS or DAMAGED
 */
export async function readPicture(
  file: number,
  mediaType: PictureMediaType,
  limits: ExtractionLimits,
): Promise<PictureSize> {
  const { image, width, height } = await openPicture(file, mediaType, limits);
  await image.resize(16, 16, { fit: 'fill' }).raw().toBuffer();
  return { width, height };
}

/** Makes a rendition. @throws ExtractionError TOO_MANY_PIXELS or DAMAGED */
export async function renderPicture(
  file: number,
  mediaType: PictureMediaType,
  limits: ExtractionLimits,
  rendition: Rendition,
): Promise<MadeRendition> {
  const picture = await openPicture(file, mediaType, limits);
  const { format, encoded } = encode(resize(picture, rendition), picture.hasAlpha, rendition.format);
  const bytes = await encoded.toBuffer();
  return { mediaType: `image/${format}`, base64: bytes.toString('base64') };
}

/**
 * Removes the metadata of a picture. Of one that the metadata turn, new bytes are made; all others lose no pixel.
 * @throws ExtractionError TOO_MANY_PIXELS or DAMAGED
 */
export async function cleanPicture(
  file: number,
  mediaType: PictureMediaType,
  limits: ExtractionLimits,
): Promise<MadePicture> {
  const { image, bytes, isTurned } = await openPicture(file, mediaType, limits);
  if (isTurned && mediaType in turnedFormats) {
    const turned = await turnedFormats[mediaType as keyof typeof turnedFormats](image).toBuffer();
    return { mediaType, base64: turned.toString('base64') };
  }
  const kept = withoutMetadata(bytes, mediaType).map((part) =>
    'bytes' in part ? Buffer.from(part.bytes).toString('base64') : part,
  );
  return { kept };
}

/** The formats in which browsers turn a picture as its EXIF says. */
const turnedFormats = {
  'image/jpeg': (image: Sharp) => image.jpeg({ quality: 90 }),
  'image/png': (image: Sharp) => image.png(),
  'image/webp': (image: Sharp) => image.webp({ quality: 90, effort: 3 }),
} as const;

async function openPicture(
  file: number,
  mediaType: PictureMediaType,
  limits: ExtractionLimits,
): Promise<OpenPicture> {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: [decoders[mediaType]] });
  sharp.cache(false);
  sharp.concurrency(1);
  const bytes = readWhole(file);
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
  // Of a scan with many pages, only the first is decoded.
  const pages = mediaType === 'image/tiff' ? 1 : (metadata.pages ?? 1);
  const pixels = metadata.width * metadata.height;
  if (pixels * pages > limits.pixels) throw new ExtractionError('TOO_MANY_PIXELS');
  if (mediaType === 'image/jpeg' && pixels * countScans(bytes) > limits.pixels * mostScansOfLargest) {
    throw new ExtractionError('TOO_MANY_PIXELS', 'The scans of the picture have too many pixels together.');
  }
  const image = sharp(bytes, { limitInputPixels: limits.pixels, failOn: 'error' });
  return {
    bytes,
    image: image.autoOrient(),
    ...uprightSize(metadata),
    hasAlpha: metadata.hasAlpha,
    // Of an animation, only the first frame would be turned.
    isTurned: pages === 1 && (metadata.orientation ?? 1) !== 1,
  };
}

function uprightSize({ width, height, autoOrient }: Metadata): PictureSize {
  return { width: autoOrient.width ?? width, height: autoOrient.height ?? height };
}

/** Never enlarges: of a picture smaller than the box, the part with the proportions of the box is kept. */
function resize({ image, width, height }: OpenPicture, rendition: Rendition): Sharp {
  const { width: boxWidth, height: boxHeight, fit, focalPoint } = rendition;
  if (fit === 'inside' || boxWidth === null || boxHeight === null) {
    const box = { width: boxWidth ?? undefined, height: boxHeight ?? undefined };
    return image.resize({ ...box, fit: 'inside', withoutEnlargement: true });
  }
  const scale = Math.max(boxWidth / width, boxHeight / height);
  const part = {
    width: Math.min(width, Math.max(1, Math.round(boxWidth / scale))),
    height: Math.min(height, Math.max(1, Math.round(boxHeight / scale))),
  };
  const enlarges = scale > 1;
  return image
    .extract({
      ...part,
      left: startOf(focalPoint.x, width, part.width),
      top: startOf(focalPoint.y, height, part.height),
    })
    .resize(enlarges ? part.width : boxWidth, enlarges ? part.height : boxHeight, { fit: 'fill' });
}

/** Where a part begins that has the point in its middle, or as close to it as the picture allows. */
function startOf(percent: number, whole: number, part: number): number {
  const middle = (percent / 100) * whole;
  return Math.min(Math.max(0, Math.round(middle - part / 2)), whole - part);
}

/** Effort is low, because somebody waits: at more, an AVIF takes ten times as long and is hardly smaller. */
function encode(
  image: Sharp,
  hasAlpha: boolean,
  wanted: Rendition['format'],
): { readonly format: 'avif' | 'webp' | 'png' | 'jpeg'; readonly encoded: Sharp } {
  const format = wanted === 'plain' ? (hasAlpha ? 'png' : 'jpeg') : wanted;
  switch (format) {
    case 'avif':
      return { format, encoded: image.avif({ quality: 55, effort: 1 }) };
    case 'webp':
      return { format, encoded: image.webp({ quality: 80, effort: 3 }) };
    case 'png':
      return { format, encoded: image.png({ compressionLevel: 9 }) };
    default:
      return {
        format,
        encoded: image.flatten({ background: '#ffffff' }).jpeg({ quality: 82, progressive: true }),
      };
  }
}
