/** The places of a text at which files are being uploaded. They move with the text, and are not a part of it. */
import { type EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';

class UploadMark extends WidgetType {
  readonly id: string;
  readonly label: string;

  constructor(id: string, label: string) {
    super();
    this.id = id;
    this.label = label;
  }

  override eq(other: UploadMark): boolean {
    return other.id === this.id;
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement('span');
    mark.className = 'cm-upload';
    mark.textContent = this.label;
    return mark;
  }
}

export const beginUpload = StateEffect.define<{
  readonly id: string;
  readonly label: string;
  readonly position: number;
}>({
  map: (upload, changes) => ({ ...upload, position: changes.mapPos(upload.position, 1) }),
});
export const endUpload = StateEffect.define<string>();

export const uploadPlaces = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(places, transaction) {
    let next = places.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(beginUpload)) {
        const { id, label, position } = effect.value;
        const mark = Decoration.widget({ widget: new UploadMark(id, label), side: 1 });
        next = next.update({ add: [mark.range(position)] });
      } else if (effect.is(endUpload)) {
        next = next.update({ filter: (_from, _to, { spec }) => spec.widget.id !== effect.value });
      }
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Where a file belongs now; null when the place was deleted. */
export function findUpload(state: EditorState, id: string): number | null {
  for (const cursor = state.field(uploadPlaces).iter(); cursor.value !== null; cursor.next()) {
    if (cursor.value.spec.widget.id === id) return cursor.from;
  }
  return null;
}
