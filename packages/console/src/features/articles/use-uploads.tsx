/** Uploads of files into a text: each becomes a knowledge file, and the text gets what shows it, in its format. */
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { uploadKnowledgeFile } from '@trellis/client/upload.ts';
import { useEffect, useRef, useState } from 'react';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { describeError } from '../../ui/problem-text.ts';
import type { EditorHandle } from './BodyEditor.tsx';
import { referenceTo } from './file-reference.ts';
import { contentPath } from './preview/preview-images.ts';
import { texts } from './texts.ts';
import { beginUpload, endUpload, findUpload } from './upload-places.ts';

export interface FailedUpload {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

export interface Uploads {
  /** Uploads files, and puts them at a position of the text. */
  readonly add: (files: readonly File[], position: number) => void;
  /** Asks for files, and puts them where the cursor is. */
  readonly choose: () => void;
  readonly failures: readonly FailedUpload[];
  /** Whether a file is on its way, which ends with the page. */
  readonly isUploading: boolean;
}

export function useUploads(editor: EditorHandle | null, format: string): Uploads {
  const { api } = useWorkspace();
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const [failures, setFailures] = useState<readonly FailedUpload[]>([]);
  const [count, setCount] = useState(0);
  const stopping = useRef(new AbortController());
  useEffect(() => {
    const stop = new AbortController();
    stopping.current = stop;
    return () => stop.abort();
  }, []);
  const upload = async (file: File, position: number) => {
    const view = editor?.view;
    if (view === undefined) return;
    const { signal } = stopping.current;
    const id = makeIdempotencyKey();
    const name = file.name === '' ? featureText('image') : file.name;
    view.dispatch({ effects: beginUpload.of({ id, label: featureText('uploading', { name }), position }) });
    setCount((running) => running + 1);
    try {
      // Whoever may read the article must see its images, too.
      const record = { name, visibility: 'ORGANIZATION' } as const;
      const { body } = await api.use((client) =>
        uploadKnowledgeFile(client, { record, content: file, fileName: name, idempotencyKey: id, signal }),
      );
      const at = findUpload(view.state, id);
      const insert = referenceTo(contentPath(body.id), name, file.type.startsWith('image/'), format);
      const changes = at === null ? [] : [{ from: at, insert }];
      view.dispatch({ changes, effects: endUpload.of(id), userEvent: 'input.upload' });
    } catch (error) {
      if (signal.aborted) return;
      view.dispatch({ effects: endUpload.of(id) });
      setFailures((others) => [...others, { id, name, reason: describeError(error, text, names) }]);
    } finally {
      setCount((running) => running - 1);
    }
  };
  const add = (files: readonly File[], position: number) => {
    setFailures([]);
    for (const file of files) void upload(file, position);
  };
  const choose = () => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.onchange = () => add([...(input.files ?? [])], editor?.view.state.selection.main.head ?? 0);
    input.click();
  };
  return { add, choose, failures, isUploading: count > 0 };
}
