/**
 * Addresses of pictures. An address follows from the file and its content, so that a text can refer to a picture before it is public, and
 * never refers to another content.
 */
import { decodeId, encodeId } from '../values/ids.ts';
import { knowledgeFiles } from './knowledge-files.ts';
import { organizations } from './organizations.ts';

/** Hexadecimal digits of the content's hash in an address. */
const contentDigits = 32;
const pattern = /^\/pictures\/([^/]+)\/([^/]+)\/([0-9a-f]{32})$/;

/** What the address of a picture names: uuids, and the beginning of the SHA-256 of the content. */
export interface PictureAddress {
  readonly organizationId: string;
  readonly fileId: string;
  readonly content: string;
}

/**
 * The path of a picture.
 * @param sha256 of the content, hexadecimal
 */
export function picturePathOf(organizationId: string, fileId: string, sha256: string): string {
  const organization = encodeId(organizations.idPrefix, organizationId);
  const file = encodeId(knowledgeFiles.idPrefix, fileId);
  return `/pictures/${organization}/${file}/${sha256.slice(0, contentDigits)}`;
}

/** What a path names; null if it cannot be the path of a picture. */
export function parsePicturePath(path: string): PictureAddress | null {
  const [, organization = '', file = '', content = ''] = pattern.exec(path) ?? [];
  const organizationId = decodeId(organizations.idPrefix, organization);
  const fileId = decodeId(knowledgeFiles.idPrefix, file);
  return organizationId === null || fileId === null ? null : { organizationId, fileId, content };
}
