/** Pictures of a text that cannot be found, as said and marked while it is edited. */
import type { Extension } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  WidgetType,
} from '@codemirror/view';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { findPictures, picturesIn } from './pictures-in-text.ts';
import { type TextSource, useComputed } from './use-text-source.ts';

const none: readonly string[] = [];

/** The ids of pictures in the text that were deleted, are no pictures any more, or may not be seen. None where the role sees no files at all. */
export function useMissingPictures(source: TextSource): readonly string[] {
  const { api } = useWorkspace();
  const resource = resourceByName(knowledgeFiles.name);
  const refusal = useRefusal()(resource, 'read');
  const shown = useComputed(source, joinPictures) ?? '';
  const { data } = useQuery({
    queryKey: [...recordKeys.all(resource), 'missing', shown],
    queryFn: async ({ signal }) => {
      const ids = shown.split(' ');
      const found = await findPictures(api, ids, signal);
      return ids.filter((id) => !found.some((file) => file.id === id));
    },
    enabled: shown !== '' && refusal === null,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  return shown === '' ? none : (data ?? none);
}

function joinPictures(text: string): string {
  return picturesIn(text).join(' ');
}

/** Marks the addresses of pictures in the editor. @param label what stands behind each */
export function markMissing(ids: readonly string[], label: string): Extension {
  if (ids.length === 0) return [];
  const address = Decoration.mark({ class: 'cm-missing' });
  const behind = Decoration.widget({ widget: new MissingMark(label), side: 1 });
  const matcher = new MatchDecorator({
    regexp: new RegExp(`[^\\s()"'<>]*(?:${ids.join('|')})[^\\s()"'<>]*`, 'g'),
    decorate: (add, from, to) => {
      add(from, to, address);
      add(to, to, behind);
    },
  });
  return ViewPlugin.define(
    (view) => {
      const marks: {
        decorations: DecorationSet;
        update: (update: Parameters<typeof matcher.updateDeco>[0]) => void;
      } = {
        decorations: matcher.createDeco(view),
        update: (update) => {
          marks.decorations = matcher.updateDeco(update, marks.decorations);
        },
      };
      return marks;
    },
    { decorations: ({ decorations }) => decorations },
  );
}

class MissingMark extends WidgetType {
  readonly label: string;

  constructor(label: string) {
    super();
    this.label = label;
  }

  override eq(other: MissingMark): boolean {
    return other.label === this.label;
  }

  override toDOM(_view: EditorView): HTMLElement {
    const mark = document.createElement('span');
    mark.className = 'cm-missing-label';
    mark.textContent = this.label;
    return mark;
  }
}
