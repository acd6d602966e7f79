/** The cell of a list that is being edited. Its record stays among the rows until it is done, also when the list no longer has it. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ApiRecord } from '../../api/api.ts';
import type { Leaving } from '../../records/edit/FieldEditor.tsx';
import { type Editor, useFieldEditor } from '../../records/edit/use-field-editor.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import { titleColumn } from '../grid/use-grid.ts';
import { useCellRefusal } from './use-cell-refusal.ts';

interface Edited {
  /** As the list had it last. */
  readonly row: ApiRecord;
  readonly index: number;
  readonly column: string;
  readonly Editor: Editor;
}

interface Options {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly records: readonly ApiRecord[];
  /** Ids of the records that somebody has deleted. */
  readonly deleted: ReadonlySet<string>;
}

export function useCellEditing({ resource, parentId, records, deleted }: Options) {
  const openEditor = useFieldEditor();
  const refusalOf = useCellRefusal(resource);
  const [edited, setEdited] = useState<Edited | null>(null);
  const listed = edited === null ? undefined : records.find(({ id }) => id === edited.row.id);
  if (edited !== null && listed !== undefined && listed !== edited.row)
    setEdited({ ...edited, row: listed, index: records.indexOf(listed) });
  const rows =
    edited === null || listed !== undefined ? records : records.toSpliced(edited.index, 0, edited.row);

  const open = (row: ApiRecord, column: string) => {
    if (deleted.has(row.id)) return;
    const message = refusalOf(column, row);
    if (message !== null) return showToast({ kind: 'failure', message });
    openEditor((Editor) => setEdited((other) => other ?? { row, index: rows.indexOf(row), column, Editor }));
  };

  return {
    edited,
    /** The records, with the one that is being edited. */
    rows,
    isEditable: (column: string, record: ApiRecord) => refusalOf(column, record) === null,
    /** Opens the editor of a cell, or says why there is none. */
    begin: (row: ApiRecord, column: string) => {
      // One that is open is finished first: it may have what cannot be saved.
      if (edited === null) open(row, column);
    },
    /** @param focus gives a cell the focus @param index of the row */
    editorOf: (
      record: ApiRecord,
      columns: readonly string[],
      focus: (row: number, column: number) => void,
      index: number,
    ): { readonly column: string; readonly content: ReactNode } | null => {
      if (edited === null || record.id !== edited.row.id) return null;
      const { Editor, column } = edited;
      const place = columns.indexOf(column);
      const close = (leaving: Leaving, isNextEdited: boolean) => {
        // In the last row, the next editor is one of the same cell.
        if (isNextEdited) flushSync(() => setEdited(null));
        else setEdited(null);
        if (leaving === 'elsewhere') return;
        const down = leaving === 'down' ? 1 : leaving === 'up' ? -1 : 0;
        const right = leaving === 'right' ? 1 : leaving === 'left' ? -1 : 0;
        const nextRow = Math.min(Math.max(index + down, 0), rows.length - 1);
        const nextPlace = Math.min(Math.max(place + right, 0), columns.length - 1);
        focus(nextRow, nextPlace + titleColumn);
        const next = rows[nextRow];
        const nextColumn = columns[nextPlace];
        if (isNextEdited && next !== undefined && nextColumn !== undefined) open(next, nextColumn);
      };
      return {
        column,
        content: (
          <Editor
            key={`${record.id} ${column}`}
            resource={resource}
            parentId={parentId}
            shown={edited.row}
            field={column}
            isDeleted={deleted.has(record.id)}
            isAtEnd={place > 0 && place >= columns.length / 2}
            close={close}
          />
        ),
      };
    },
  };
}
