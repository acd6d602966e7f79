/** The pictures that an article shows, as its cover and in its text by their public addresses, and whether readers can load them. */

import { useQuery } from '@tanstack/react-query';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { parsePicturePath } from '@trellis/schema/resources/pictures.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { Api } from '../../api/api.ts';
import { isProblem } from '../../api/problem.ts';
import type { Values } from '../../outbox/store/fields.ts';
import { useWorkspace } from '../../session/workspace.ts';

/** Pictures of a text that are looked at; one request each. */
const maxPictures = 50;
/** How often pictures that are still being read are looked at, in ms. */
const refreshMs = 1_000;

/** Where texts refer to a picture. The width is enough for a column of text on any screen, and has no metadata in it. */
export function addressInText(picturePath: string): string {
  return `${location.origin}${picturePath}?w=1280`;
}

/** The text of an article, and the id of its cover. */
export interface Illustrated {
  readonly body: string;
  readonly cover: string | null;
}

/** What is in the values of a record. */
export function illustratedOf(values: Values): Illustrated {
  const cover = valueAt(values, 'versionData.coverFileId');
  return {
    body: String(valueAt(values, 'versionData.body') ?? ''),
    cover: typeof cover === 'string' ? cover : null,
  };
}

/** The ids of the pictures in a text, each once. */
export function picturesIn(text: string): string[] {
  const found = text.matchAll(/\/pictures\/org_[0-9a-z]{26}\/kf_[0-9a-z]{26}\/[0-9a-f]{32}/g);
  const ids = Array.from(found, ([path]) => pictureFileOf(path)).filter((id) => id !== null);
  return [...new Set(ids)].slice(0, maxPictures);
}

/** The id of the knowledge file that a path names; null if it names none. */
export function pictureFileOf(path: string): string | null {
  const address = parsePicturePath(path);
  return address === null ? null : encodeId(knowledgeFiles.idPrefix, address.fileId);
}

interface ShownPictures {
  /** Files whose pictures are not public. */
  readonly hidden: readonly KnowledgeFile[];
  /** Ids of pictures in the text whose addresses lead nowhere: the file was deleted, is no picture any more, or may not be seen. */
  readonly missing: readonly string[];
}

/** Reads the pictures of an article. @throws ProblemError */
export async function readPictures(
  api: Api,
  { body, cover }: Illustrated,
  signal?: AbortSignal,
): Promise<ShownPictures> {
  const inText = picturesIn(body);
  const ids = [...new Set([...(cover === null ? [] : [cover]), ...inText])];
  const found = await findPictures(api, ids, signal);
  return {
    hidden: found.filter(({ publicSince }) => publicSince === null),
    missing: inText.filter((id) => !found.some((file) => file.id === id)),
  };
}

/** The files with these ids that are pictures and may be seen. @throws ProblemError */
export async function findPictures(
  api: Api,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<readonly KnowledgeFile[]> {
  const files = await Promise.all(
    ids.map(async (id) => {
      const file = await api.read('getKnowledgeFile', { path: { id }, signal }).catch((error: unknown) => {
        if (isProblem(error, 'not_found')) return null;
        throw error;
      });
      // The address of a former content leads to the present one.
      return file?.picturePath == null ? null : file;
    }),
  );
  return files.filter((file) => file !== null);
}

/**
 * The pictures of an article.
 * @param waits whether those that are still being read are looked at again
 */
export function useShownPictures({ body, cover }: Illustrated, waits: boolean) {
  const { api } = useWorkspace();
  const ids = picturesIn(body);
  return useQuery({
    queryKey: ['v1', knowledgeFiles.name, 'shown', cover, ids],
    queryFn: ({ signal }) => readPictures(api, { body, cover }, signal),
    enabled: cover !== null || ids.length > 0,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      waits && data?.hidden.some(({ status }) => status === 'PROCESSING') ? refreshMs : false,
  });
}
