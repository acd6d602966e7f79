/** The knowledge file that an imported picture becomes: how it is found again, and whether it is still as the import has left it. */
import { limits } from '@trellis/schema/resources/limits.ts';
import type { ApiRecord } from './api.ts';

/** Versions: created, with its content, read by the server, public. */
const [readVersion, publicVersion] = [3, 4];
const longestAlternativeText = 1_000;

/** The externalId of the file of a picture: the same bytes are one file, however many posts and folders have them. */
export function pictureKeyOf(sha256: string): string {
  return `import-picture-${sha256}`;
}

/** Whether an import has made the file, and nobody has changed it or its publication since. */
export function isAsImported({ externalId, sha256, version, publicSince }: ApiRecord): boolean {
  const isPicture = typeof sha256 === 'string' && externalId === pictureKeyOf(sha256);
  return isPicture && version <= (publicSince === null ? readVersion : publicVersion);
}

/** The values of the file of a picture. @param name the last part of its path */
export function describePictureFile(name: string, alternativeText: string, sha256: string) {
  const text = tidy(alternativeText, longestAlternativeText);
  return {
    name: tidy(name, limits.fileName) || 'picture',
    externalId: pictureKeyOf(sha256),
    // Whoever may read the article must see its pictures, too.
    visibility: 'ORGANIZATION',
    ...(text === '' ? {} : { alternativeText: text }),
  };
}

/** A text without control characters, in one line. */
function tidy(text: string, most: number): string {
  const plain = text.toWellFormed().replaceAll(/[\p{C}\s]+/gu, ' ');
  return Array.from(plain.slice(0, 2 * most))
    .slice(0, most)
    .join('')
    .trim();
}
