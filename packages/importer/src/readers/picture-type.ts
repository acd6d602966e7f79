/** The format of a picture by its first bytes, for those that the server can show. */

/** Number of bytes that decide. */
export const decidingBytes = 16;

/** Formats with the bytes that they begin with; null for any byte. */
const signatures: readonly (readonly [type: PictureType, bytes: readonly (number | null)[]])[] = [
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, ...bytesOf('PNG\r\n'), 0x1a, 0x0a]],
  ['gif', bytesOf('GIF8')],
  ['webp', [...bytesOf('RIFF'), null, null, null, null, ...bytesOf('WEBP')]],
  ['avif', [null, null, null, null, ...bytesOf('ftypavi')]],
  ['tiff', [...bytesOf('II'), 0x2a, 0]],
  ['tiff', [...bytesOf('MM'), 0, 0x2a]],
];

export type PictureType = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'tiff';

/** The format of a picture; null for everything that cannot be shown to readers, such as SVG and HEIC. */
export function pictureTypeOf(start: Uint8Array): PictureType | null {
  const found = signatures.find(([, bytes]) =>
    bytes.every((byte, index) => (byte === null ? index < start.length : byte === start[index])),
  );
  return found?.[0] ?? null;
}

function bytesOf(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}
