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

/** The widths and heights of renditions, in pixels. Few, so that caches and the server have few to keep. */
export const pictureSteps = [160, 320, 480, 640, 960, 1280, 1600, 1920, 2560] as const;
