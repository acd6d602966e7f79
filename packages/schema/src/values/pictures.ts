/** The formats of pictures that can be made public, and the sizes that they can be asked for. */

/** What every browser shows. SVG is not among them: it may contain scripts. */
const webMediaTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;

/** What scanners and phones write. Readers get a copy. */
const otherMediaTypes = ['image/tiff', 'image/heic', 'image/heif'] as const;

/** The media types of pictures that can be made public. */
const pictureMediaTypes = [...webMediaTypes, ...otherMediaTypes] as const;
export type PictureMediaType = (typeof pictureMediaTypes)[number];

/** Whether a file of this media type can be made public as a picture. */
export function isPicture(mediaType: string | null): mediaType is PictureMediaType {
  return pictureMediaTypes.some((type) => type === mediaType);
}

/** Whether browsers show a picture of this media type as it is. */
export function isWebPicture(mediaType: string | null): boolean {
  return webMediaTypes.some((type) => type === mediaType);
}

/** Of TIFF there are two, by the order of its bytes; AVIF and HEIC say after the size of their first box what they are. */
const signatures = [
  /^\xff\xd8\xff/,
  /^\x89PNG/,
  /^GIF8[79]a/,
  /^RIFF[\s\S]{4}WEBP/,
  /^(?:II\*\0|MM\0\*)/,
  /^[\s\S]{4}ftyp(?:avi|he|mif1|msf1)/,
];

/** How many bytes `beginsAsPicture` looks at. */
export const signatureBytes = 12;

/** Whether a file with these first bytes may be a picture that can be made public. The server decides by all of them. */
export function beginsAsPicture(bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, signatureBytes));
  return signatures.some((signature) => signature.test(start));
}

/** The widths and heights of renditions, in pixels. Few, so that caches and the server have few to keep. */
export const pictureSteps = [160, 320, 480, 640, 960, 1280, 1600, 1920, 2560] as const;
