/**
 * Images of a text that are knowledge files. Their address in a text is the path of the API, which responds only to a session or a
 * token; so the preview reads them through the client and shows them from memory.
 */
import type { Api } from '../../../api/api.ts';
import { pictureFileOf } from '../pictures-in-text.ts';

/** The address of a knowledge file's content in a text. */
export function contentPath(id: string): string {
  return `/v1/knowledge-files/${id}/content`;
}

/** The id in such an address, or in that of a picture, which may not be public yet; with or without the origin of this server; null for other addresses. */
export function fileIdIn(address: string): string | null {
  const { origin, pathname } = new URL(address, location.origin);
  if (origin !== location.origin) return null;
  return /^\/v1\/knowledge-files\/(kf_[0-9a-z]+)\/content$/.exec(pathname)?.[1] ?? pictureFileOf(pathname);
}

/** The images that were read, by id; they stay as long as the preview is shown. */
export class PreviewImages {
  private readonly api: Api;
  private readonly urls = new Map<string, Promise<string | null>>();

  constructor(api: Api) {
    this.api = api;
  }

  /** An address of the image in this page; null when it cannot be read or is not an image. */
  find(id: string): Promise<string | null> {
    const known = this.urls.get(id) ?? this.read(id).catch(() => null);
    this.urls.set(id, known);
    return known;
  }

  /** Frees the memory. */
  async clear(): Promise<void> {
    const all = [...this.urls.values()];
    this.urls.clear();
    for (const url of await Promise.all(all)) if (url !== null) URL.revokeObjectURL(url);
  }

  private async read(id: string): Promise<string | null> {
    const { body, headers } = await this.api.use((client) =>
      client.call('getKnowledgeFileContent', { path: { id } }),
    );
    const type = headers.get('content-type') ?? '';
    const blob = await new Response(body).blob();
    // An SVG may load further files; as an image it runs nothing, but it is shown as any other.
    return type.startsWith('image/') ? URL.createObjectURL(new Blob([blob], { type })) : null;
  }
}
