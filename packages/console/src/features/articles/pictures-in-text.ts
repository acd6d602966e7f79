/** The pictures that a text refers to by their public addresses, and whether readers can load them. */
import { useQuery } from '@tanstack/react-query';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { parsePicturePath } from '@trellis/schema/resources/pictures.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Api } from '../../api/api.ts';
import { isProblem } from '../../api/problem.ts';
import { useWorkspace } from '../../session/workspace.ts';

/** Pictures of a text that are looked at; one request each. */
const maxPictures = 50;
/** How often pictures that are still being read are looked at, in ms. */
const refreshMs = 1_000;

/** Where texts refer to a picture. The width is enough for a column of text on any screen, and has no metadata in it. */
export function addressInText(picturePath: string): string {
  return `${location.origin}${picturePath}?w=1280`;
}

/** The paths of the pictures in a text, each once. */
function picturePathsIn(text: string): string[] {
  const found = text.matchAll(/\/pictures\/org_[0-9a-z]{26}\/kf_[0-9a-z]{26}\/[0-9a-f]{32}/g);
  return [...new Set(Array.from(found, ([path]) => path))].slice(0, maxPictures);
}

/** The id of the knowledge file that a path names; null if it names none. */
export function pictureFileOf(path: string): string | null {
  const address = parsePicturePath(path);
  return address === null ? null : encodeId(knowledgeFiles.idPrefix, address.fileId);
}

interface PicturesInText {
  /** Files whose pictures are not public. */
  readonly hidden: readonly KnowledgeFile[];
  /** How many addresses lead nowhere: the file was deleted, is no picture any more, or may not be seen. */
  readonly missing: number;
}

/** Reads the pictures of a text. @throws ProblemError */
export async function readPictures(api: Api, text: string, signal?: AbortSignal): Promise<PicturesInText> {
  const paths = picturePathsIn(text);
  const files = await Promise.all(
    paths.map(async (path) => {
      const id = pictureFileOf(path);
      if (id === null) return null;
      const file = await api.read('getKnowledgeFile', { path: { id }, signal }).catch((error: unknown) => {
        if (isProblem(error, 'not_found')) return null;
        throw error;
      });
      // The address of a former content leads to the present one.
      return file?.picturePath == null ? null : file;
    }),
  );
  const found = files.filter((file) => file !== null);
  return {
    hidden: found.filter(
      ({ id, publicSince }, index) =>
        publicSince === null && found.findIndex((other) => other.id === id) === index,
    ),
    missing: files.length - found.length,
  };
}

/**
 * The pictures of a text.
 * @param waits whether those that are still being read are looked at again
 */
export function usePicturesInText(text: string, waits: boolean) {
  const { api } = useWorkspace();
  const paths = picturePathsIn(text);
  return useQuery({
    queryKey: ['v1', knowledgeFiles.name, 'in-text', paths],
    queryFn: ({ signal }) => readPictures(api, text, signal),
    enabled: paths.length > 0,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      waits && data?.hidden.some(({ status }) => status === 'PROCESSING') ? refreshMs : false,
  });
}
