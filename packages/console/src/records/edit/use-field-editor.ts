/** Loads the inline editor of single values on demand. */
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

/** Preloads the editor, so that no keystrokes are lost while it loads. A failure is reported when the editor opens. */
export function prepareEditor(): void {
  loadEditor().catch(() => undefined);
}

/** Returns a function that passes the loaded editor to a callback: synchronously if possible, so that the next keystroke reaches it. */
export function useFieldEditor(): (open: (Editor: Editor) => void) => void {
  const text = useText();
  return (open) => {
    if (loaded !== null) return open(loaded);
    loadEditor().then(open, () => showToast({ kind: 'failure', message: text('problem.unreachable') }));
  };
}
