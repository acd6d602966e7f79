/** Uploads of files into a text: each becomes a knowledge file, and the text gets what shows it, in its format. */
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { uploadKnowledgeFile } from '@trellis/client/upload.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { useEffect, useRef, useState } from 'react';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { describeError } from '../../ui/problem-text.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import type { EditorHandle } from './BodyEditor.tsx';
import { labelOfFile, placeOfLabel, referenceTo } from './file-reference.ts';
import { addressInText } from './pictures-in-text.ts';
import { contentPath } from './preview/preview-images.ts';
import { texts } from './texts.ts';
import { beginUpload, endUpload, findUpload } from './upload-places.ts';

export interface FailedUpload {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

/** A file that belongs into the text. */
export interface PendingImage {
  readonly id: string;
  readonly file: File;
  readonly name: string;
}

export interface Uploads {
  /** Uploads files, and puts them at a position of the text. */
  readonly add: (files: readonly File[], position: number) => void;
  /** Asks for files, and puts them where the cursor is. */
  readonly choose: () => void;
  /** Puts a picture of the library where the cursor is. */
  readonly insert: (picture: KnowledgeFile) => void;
  /** Images that are uploaded when it is known what they show. */
  readonly undescribed: readonly PendingImage[];
  /** What they show, by their ids; null if they are not wanted after all. */
  readonly describe: (alternativeTexts: ReadonlyMap<string, string> | null) => void;
  readonly failures: readonly FailedUpload[];
  /** Why nothing can be uploaded; null if it can. */
  readonly refusal: string | null;
  /** Whether a file is on its way, which ends with the page. */
  readonly isUploading: boolean;
}

export function useUploads(editor: EditorHandle | null, format: string): Uploads {
  const { api } = useWorkspace();
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const reason = useRefusal()(resourceByName(knowledgeFiles.name), 'create');
  const refusal = reason === null ? null : featureText('uploadRefused', { reason });
  const [failures, setFailures] = useState<readonly FailedUpload[]>([]);
  const [undescribed, setUndescribed] = useState<readonly PendingImage[]>([]);
  const [count, setCount] = useState(0);
  const stopping = useRef(new AbortController());
  useEffect(() => {
    const stop = new AbortController();
    stopping.current = stop;
    return () => stop.abort();
  }, []);
  const end = (id: string) => editor?.view.dispatch({ effects: endUpload.of(id) });
  const upload = async ({ id, file, name }: PendingImage, alternativeText: string | null) => {
    const view = editor?.view;
    if (view === undefined) return;
    const { signal } = stopping.current;
    setCount((running) => running + 1);
    try {
      // Whoever may read the article must see its images, too.
      const record = { name, visibility: 'ORGANIZATION', alternativeText } as const;
      const { body } = await api.use((client) =>
        uploadKnowledgeFile(client, { record, content: file, fileName: name, idempotencyKey: id, signal }),
      );
      const at = findUpload(view.state, id);
      const { picturePath } = body;
      // The address of a picture is known before the picture is public, and stays.
      const address = picturePath === null ? contentPath(body.id) : addressInText(picturePath);
      const label = isImage(file) ? (alternativeText ?? '') : labelOfFile(name);
      const insert = referenceTo(address, label, isImage(file), format);
      const changes = at === null ? [] : [{ from: at, insert }];
      const { head, empty } = view.state.selection.main;
      // Whoever waits at the place goes on behind the picture; others stay where they write.
      const selection = empty && head === at ? { anchor: at + insert.length } : undefined;
      view.dispatch({ changes, selection, effects: endUpload.of(id), userEvent: 'input.upload' });
    } catch (error) {
      if (signal.aborted) return;
      end(id);
      setFailures((others) => [...others, { id, name, reason: describeError(error, text, names) }]);
    } finally {
      setCount((running) => running - 1);
    }
  };
  const add = (files: readonly File[], position: number) => {
    const view = editor?.view;
    if (view === undefined) return;
    // Said before anything is typed for it.
    if (refusal !== null) {
      showToast({ kind: 'failure', message: refusal });
      return;
    }
    setFailures([]);
    const entries = files.map((file) => ({
      id: makeIdempotencyKey(),
      file,
      name: file.name === '' ? featureText('image') : file.name,
    }));
    view.dispatch({
      effects: entries.map(({ id, name }) =>
        beginUpload.of({ id, label: featureText('uploading', { name }), position }),
      ),
      selection: { anchor: position },
    });
    // The button that was pressed has the focus, and dialogs return it to where it was.
    view.focus();
    for (const entry of entries) if (!isImage(entry.file)) void upload(entry, null);
    setUndescribed((others) => [...others, ...entries.filter(({ file }) => isImage(file))]);
  };
  const describe = (alternativeTexts: ReadonlyMap<string, string> | null) => {
    setUndescribed([]);
    for (const image of undescribed) {
      if (alternativeTexts === null) end(image.id);
      else void upload(image, (alternativeTexts.get(image.id) ?? '').trim() || null);
    }
  };
  const choose = () => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.onchange = () => add([...(input.files ?? [])], editor?.view.state.selection.main.head ?? 0);
    input.click();
  };
  const insert = ({ picturePath, alternativeText }: KnowledgeFile) => {
    const view = editor?.view;
    if (view === undefined || picturePath === null) return;
    const shown = referenceTo(addressInText(picturePath), alternativeText ?? '', true, format);
    const { from } = view.state.selection.main;
    view.dispatch({ ...view.state.replaceSelection(shown), userEvent: 'input.insert' });
    // Where nothing says what it shows, that is typed next.
    if (alternativeText === null) view.dispatch({ selection: { anchor: from + placeOfLabel(shown) } });
    view.focus();
  };
  return { add, choose, insert, undescribed, describe, failures, refusal, isUploading: count > 0 };
}

function isImage({ type }: File): boolean {
  return type.startsWith('image/');
}
