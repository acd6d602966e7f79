/**
 * The pictures beside posts: the addresses of their files in texts and front matter become those of knowledge files. Pictures of posts that
 * readers see are made public. A picture that cannot be taken keeps its address and is named in the report; no post is rejected for it.
 */

import type { PostImport } from '@trellis/schema/resources/import.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { picturePathOf } from '@trellis/schema/resources/pictures.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { Api, Body } from './api.ts';
import { Collection } from './collection.ts';
import { importOf } from './destinations.ts';
import { type Picture, PictureStore, readPicture } from './picture-store.ts';
import { type LeftPicture, PictureTally } from './picture-tally.ts';
import { mostPicturesOfFolder, type PictureFolder } from './readers/picture-files.ts';
import type { PictureReport } from './report.ts';
import type { Source, SourceRow } from './source.ts';

const missing = 'The folder has no such picture. Import the whole folder of the site, not only its posts.';
const unread =
  'Its pictures were not looked for: the text is nested too deeply, or a paragraph of it is too long.';
const noRoom = 'The text would be too long with the addresses of its pictures.';
/** The width of renditions in texts, which have no metadata such as the place; an animation has to be whole. */
const parameters = '?w=1280';

/** A post, and what becomes of it. */
export interface PostToFill {
  readonly row: SourceRow;
  /** By dotted name of the field; the text and the cover are changed. */
  readonly values: Map<string, unknown>;
  /** The target status. */
  readonly status: string | null;
  /** The article that it is; null for a new one. */
  readonly record: Body | null;
}

/** What was done for a post. */
export interface FilledPost {
  /** Whether a picture has to be stored or made public before the post is written. */
  readonly isPending: boolean;
  readonly left: readonly LeftPicture[];
  /** Paths of its pictures. */
  readonly used: readonly string[];
}

/** What pictures need. */
interface PictureOptions {
  readonly posts: PostImport;
  readonly folder: PictureFolder;
  readonly store: PictureStore;
  readonly dryRun: boolean;
  /** Origin of the addresses in texts; without one they begin with a slash. */
  readonly origin: string;
}

/** A picture with its address in texts, and why readers do not see it. */
interface Placed {
  readonly id: string;
  readonly address: string;
  readonly isPending: boolean;
  readonly reason: string | null;
}

/** The pictures of a source; null where it has none. */
export function openPictures(
  { pictures: folder }: Source,
  resources: readonly Resource[],
  api: Api,
  { importId, ...options }: Pick<PictureOptions, 'dryRun' | 'origin'> & { readonly importId: string },
): Pictures | null {
  const [posts] = resources.flatMap((resource) => importOf(resource).posts ?? []);
  if (folder === undefined || posts === undefined) return null;
  const { dryRun, origin } = options;
  const store = new PictureStore(new Collection(api, knowledgeFiles, ''), importId);
  return new Pictures({ posts, folder, store, dryRun, origin });
}

export class Pictures {
  private readonly options: PictureOptions;
  private readonly tally = new PictureTally();
  private readonly known = new Map<string, Promise<Picture | string>>();

  constructor(options: PictureOptions) {
    this.options = options;
  }

  /**
   * Gives a post the addresses of its pictures.
   * @param mayWrite whether pictures are stored; otherwise those that would be have an address of the same length
   * @throws ImportStopped
   */
  async fill(post: PostToFill, mayWrite: boolean): Promise<FilledPost> {
    const { posts, folder } = this.options;
    const { row, values, record } = post;
    const left: LeftPicture[] = [];
    const used: string[] = [];
    let isPending = false;
    const place = async (address: string, alternativeText: string): Promise<Placed | null> => {
      const path = folder.find(address, row.place);
      if (path === undefined) return null;
      const placed = path === null ? missing : await this.place(path, alternativeText, post, mayWrite);
      if (path !== null) used.push(path);
      const reason = typeof placed === 'string' ? placed : placed.reason;
      if (reason !== null) left.push({ reason, place: row.place, address });
      if (typeof placed === 'string') return null;
      isPending ||= placed.isPending;
      return placed;
    };
    const body = values.get(posts.body);
    if (typeof body === 'string') {
      const isHtml = values.get(posts.bodyFormat) === 'HTML';
      const { findPictureLinks, replacePictureLinks } = await import('./readers/picture-links.ts');
      const links = findPictureLinks(body, isHtml);
      if (links === null) left.push({ reason: unread, place: row.place, address: '' });
      const addresses = new Map<string, string>();
      for (const { address, alternativeText } of links ?? []) {
        if (addresses.has(address)) continue;
        const placed = await place(address, alternativeText);
        addresses.set(
          address,
          placed === null ? '' : withOrigin(placed.address, this.options.origin, record, posts),
        );
      }
      const replaced = replacePictureLinks(
        body,
        links ?? [],
        ({ address }) => addresses.get(address) || null,
      );
      const isTooLong = new TextEncoder().encode(replaced).length > limits.articleBodyBytes;
      if (isTooLong && replaced !== body) left.push({ reason: noRoom, place: row.place, address: '' });
      else values.set(posts.body, replaced);
    }
    const { cover } = row;
    if (cover !== undefined && !values.has(posts.cover)) {
      const placed = await place(cover.address, cover.alternativeText);
      if (placed !== null) values.set(posts.cover, placed.id);
    }
    return { isPending, left, used };
  }

  /** Counts a post that was written. */
  note({ left, used }: FilledPost): void {
    this.tally.addLeft(left);
    for (const path of used) this.tally.used.add(path);
  }

  summarize(): PictureReport {
    return this.tally.summarize(this.options.folder.files.size);
  }

  /** Finds or stores the picture at a path of the folder. @returns why it cannot be taken, if it cannot */
  private async place(
    path: string,
    alternativeText: string,
    { status }: PostToFill,
    mayWrite: boolean,
  ): Promise<Placed | string> {
    const { store, dryRun } = this.options;
    const picture = await this.read(path);
    if (typeof picture === 'string') return picture;
    const { stored, found } = this.tally;
    const existing = await store.find(picture);
    if (typeof existing === 'string') return existing;
    const isThere = existing !== null && existing.status !== 'PENDING_UPLOAD';
    if (isThere && !stored.has(picture.sha256)) found.add(picture.sha256);
    const isPublic = status === 'PUBLISHED' || status === 'SCHEDULED';
    if (!isThere && (dryRun || !mayWrite)) {
      if (dryRun && mayWrite) stored.add(picture.sha256);
      return placeholderOf(picture);
    }
    const record = isThere ? existing : await store.store(picture, alternativeText);
    if (typeof record === 'string') return record;
    if (!isThere) stored.add(picture.sha256);
    const { id, picturePath } = record;
    if (typeof picturePath !== 'string') return 'It was uploaded, but the server cannot show it.';
    const placed = { id, address: addressOf(picturePath, picture), isPending: false, reason: null };
    if (!isPublic) return placed;
    const reason = dryRun || !mayWrite ? store.whyNotPublic(record) : await store.publish(picture, record);
    return { ...placed, reason, isPending: reason === null && record.publicSince === null };
  }

  private read(path: string): Promise<Picture | string> {
    const file = this.options.folder.files.get(path);
    const known = this.known.get(path) ?? (file === undefined ? Promise.resolve(missing) : readPicture(file));
    if (this.known.size < mostPicturesOfFolder) this.known.set(path, known);
    return known;
  }
}

/** What stands for a picture that is not stored, with ids as long as those that it will have. */
function placeholderOf(picture: Picture): Placed {
  const { sha256: hash } = picture;
  const uuid = hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  const address = addressOf(picturePathOf(uuid, uuid, hash), picture);
  return { id: encodeId(knowledgeFiles.idPrefix, uuid), address, isPending: true, reason: null };
}

function addressOf(picturePath: string, { type }: Picture): string {
  return type === 'gif' ? picturePath : `${picturePath}${parameters}`;
}

/** An address with its origin: the one that the article has before it, or that of this import. */
function withOrigin(address: string, origin: string, record: Body | null, { body }: PostImport): string {
  const text = record === null ? null : valueAt(record, body);
  const at = typeof text === 'string' ? text.indexOf(address) : -1;
  const before = typeof text === 'string' && at >= 0 ? text.slice(Math.max(0, at - 300), at) : '';
  return `${/https?:\/\/[^\s/"'()<>]+$/.exec(before)?.[0] ?? origin}${address}`;
}
