/** The pictures of a folder of posts, and which of them an address in a post means, as site generators resolve it. */
import type { SourceFile } from './file.ts';

/** Maximum number of pictures of a folder; further ones are as if they were not there, which the report says. */
export const mostPicturesOfFolder = 50_000;

/** Folders whose content generators copy to the root of the site: Hugo and Zola, Astro and Next.js, Hugo and Jekyll, Eleventy. */
const foldersOfRoot = ['', 'static/', 'public/', 'assets/', 'src/'];
const pictureName = /\.(?:jpe?g|jfif|png|gif|webp|avif|tiff?|svg|heic|heif|bmp|ico)$/i;

/** Whether the name of a file is that of a picture, of whatever format. */
export function isPictureName(name: string): boolean {
  return pictureName.test(name);
}

/** Pictures by their path below the folder. */
export class PictureFolder {
  readonly files: ReadonlyMap<string, SourceFile>;
  private readonly isFlat: boolean;

  /** @param isFlat whether the files were chosen without their folders, so that the names have to do */
  constructor(files: readonly SourceFile[], isFlat = false) {
    this.files = new Map(files.map((file) => [file.name, file]));
    this.isFlat = isFlat;
  }

  /**
   * Finds the picture that an address means.
   * @param address relative to the post, or from the root of the site, as in `/images/a.png`
   * @param post path of the post below the folder
   * @returns the path of the picture; null when the folder has none; undefined for an address that is elsewhere, such as `https://…`
   */
  find(address: string, post: string): string | null | undefined {
    const [path = ''] = address.trim().replaceAll('\\', '/').split(/[?#]/, 1);
    if (path === '' || path.startsWith('//') || /^[a-z][a-z0-9+.-]*:/i.test(path)) return undefined;
    const folder = post.slice(0, post.lastIndexOf('/') + 1);
    const stem = post.slice(folder.length).replace(/\.[^.]*$/, '');
    // A page is a folder on the site, so that addresses relative to it can begin there.
    const bases = path.startsWith('/') ? foldersOfRoot : [folder, `${folder}${stem}/`, ...foldersOfRoot];
    for (const written of new Set([path, decode(path)])) {
      for (const base of bases) {
        const name = normalize(`${base}${written.replace(/^\/+/, '')}`);
        if (name !== null && this.files.has(name)) return name;
      }
      const last = written.slice(written.lastIndexOf('/') + 1);
      if (this.isFlat && this.files.has(last)) return last;
    }
    return null;
  }
}

/** A path without `.` and `..`; null when it leads out of the folder. */
function normalize(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Percent-decoded, if that is possible. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
