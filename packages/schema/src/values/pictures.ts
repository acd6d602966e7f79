/** The formats of pictures that can be made public, and the sizes that they can be asked for. */

/** The media types of pictures that can be made public. SVG is not among them: it may contain scripts. */
const pictureMediaTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;
export type PictureMediaType = (typeof pictureMediaTypes)[number];

/** Whether a file of this media type can be made public as a picture. */
export function isPicture(mediaType: string | null): mediaType is PictureMediaType {
  return pictureMediaTypes.some((type) => type === mediaType);
}

/** Whether a file of this media type shows something and has no text, whether or not it can be made public. */
export function isImage(mediaType: string | null): boolean {
  return mediaType?.startsWith('image/') === true;
}

/** The widths and heights of renditions, in pixels. Few, so that caches and the server have few to keep. */
export const pictureSteps = [160, 320, 480, 640, 960, 1280, 1600, 1920, 2560] as const;
