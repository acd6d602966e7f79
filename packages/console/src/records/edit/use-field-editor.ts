/** The editor of single values. It is loaded before the first of them is edited. */
import type { ComponentType } from 'react';
import { useText } from '../../text/text.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import type { FieldEditorProps } from './FieldEditor.tsx';

export type Editor = ComponentType<FieldEditorProps>;

let loaded: Editor | null = null;

async function loadEditor(): Promise<Editor> {
  loaded ??= (await import('./FieldEditor.tsx')).FieldEditor;
  return loaded;
}

/** Loads the editor before it is needed, so that nothing is typed before it is there. A failure is met again when it is opened. */
export function prepareEditor(): void {
  loadEditor().catch(() => undefined);
}

/** Gives a function that calls another one with the editor: at once where possible, so that the next key is typed into it. */
export function useFieldEditor(): (open: (Editor: Editor) => void) => void {
  const text = useText();
  return (open) => {
    if (loaded !== null) return open(loaded);
    loadEditor().then(open, () => showToast({ kind: 'failure', message: text('problem.unreachable') }));
  };
}
