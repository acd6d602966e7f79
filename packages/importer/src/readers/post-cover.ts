/** The cover in front matter: its names in the site generators, and what is left of the front matter without it. */
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { GivenCover } from '../source.ts';
import { isPictureName, type PictureFolder } from './picture-files.ts';

/** Names of front matter with a cover, in any case and with any separators, the most exact first. */
const names = [
  'cover',
  'coverimage',
  'featuredimage',
  'featureimage',
  'featureimg',
  'heroimage',
  'hero',
  'image',
  'img',
  'banner',
  'thumbnail',
  'thumb',
  'header',
  'featured',
  'ogimage',
  'images',
];
/** Members of a name that is an object, and their alternative texts. */
const members = [
  'image',
  'src',
  'path',
  'url',
  'filename',
  'feature',
  'overlay_image',
  'teaser',
  'thumbnail',
];
const alternatives = ['alt', 'image_alt', 'caption'];

/** A cover, and the front matter without what it was read from. */
export interface ReadCover {
  readonly cover: GivenCover;
  readonly rest: Readonly<Record<string, unknown>>;
}

/**
 * Reads the cover: the first picture that the folder has, otherwise the first one that it should have.
 * @returns null without one; pictures of other sites are not taken, and stay in the front matter
 */
export function readCover(
  metadata: Readonly<Record<string, unknown>>,
  post: string,
  pictures: PictureFolder,
): ReadCover | null {
  const found = Object.keys(metadata)
    .map((name) => ({ name, rank: names.indexOf(name.toLowerCase().replaceAll(/[-_ ]/g, '')) }))
    .filter(({ rank }) => rank >= 0)
    .sort((one, other) => one.rank - other.rank)
    .flatMap(({ name }) => readNamed(metadata, name) ?? [])
    .map((read) => ({ ...read, file: pictures.find(read.cover.address, post) }))
    .filter(
      ({ file, cover: { address } }) => file !== undefined && isPictureName(address.replace(/[?#].*$/, '')),
    );
  return found.find(({ file }) => file !== null) ?? found[0] ?? null;
}

function readNamed(metadata: Readonly<Record<string, unknown>>, name: string): ReadCover | null {
  const value = metadata[name];
  const { [name]: _, ...others } = metadata;
  if (typeof value === 'string') return { cover: { address: value, alternativeText: '' }, rest: others };
  if (Array.isArray(value)) {
    const [first, ...further] = value;
    if (typeof first !== 'string') return null;
    const rest = further.length === 0 ? others : { ...others, [name]: further };
    return { cover: { address: first, alternativeText: '' }, rest };
  }
  if (!isPlainObject(value)) return null;
  const member = members.find((one) => typeof value[one] === 'string');
  if (member === undefined) return null;
  const text = alternatives.find((one) => typeof value[one] === 'string');
  const kept = Object.entries(value).filter(([one]) => one !== member && one !== text);
  return {
    cover: {
      address: String(value[member]),
      alternativeText: text === undefined ? '' : String(value[text]),
    },
    rest: kept.length === 0 ? others : { ...others, [name]: Object.fromEntries(kept) },
  };
}
