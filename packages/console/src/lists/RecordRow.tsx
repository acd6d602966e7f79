/** A row of a list: a record, its title a link to it, and the cells that can be edited. */
import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { CSSProperties, ReactNode } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { Cell } from '../fields/Cell.tsx';
import { texts as liveTexts } from '../live/texts.ts';
import type { Change } from '../outbox/store/change.ts';
import { ChangeState } from '../records/edit/ChangeState.tsx';
import { withChanges } from '../records/edit/with-changes.ts';
import { texts } from '../records/texts.ts';
import { recordPathOf } from '../resources/places.ts';
import { titleOf } from '../resources/values.ts';
import { useFeatureText } from '../text/feature.ts';
import shared from '../ui/shared.module.css';
import { titleColumn } from './grid/use-grid.ts';
import styles from './RecordTable.module.css';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** As the server has it. */
  readonly record: ApiRecord;
  /** Its place in the list, from 0. */
  readonly index: number;
  /** The title first. */
  readonly columns: readonly string[];
  /** The changes that are kept in the browser. */
  readonly changes: readonly Change[];
  /** The column that is the stop of Tab; null in all rows but one. */
  readonly stop: number | null;
  readonly isSelected: boolean;
  readonly isChanged: boolean;
  readonly isDeleted: boolean;
  readonly isEditable: (column: string) => boolean;
  /** The editor, and the column that it is in; null where nothing is edited. */
  readonly editor: { readonly column: string; readonly content: ReactNode } | null;
  readonly select: (isRange: boolean) => void;
  readonly edit: (column: string) => void;
  readonly style: CSSProperties;
}

export function RecordRow(props: Props) {
  const { resource, parentId, index, columns, changes, stop, editor, style } = props;
  const { isSelected, isChanged, isDeleted, isEditable, select, edit } = props;
  const featureText = useFeatureText(texts);
  const ownLive = useFeatureText(liveTexts);
  const { record, states } = withChanges(props.record, changes);
  const title = titleOf(resource, record);
  const tabIndex = (column: number) => (stop === column ? 0 : -1);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={styles.row}
      data-body
      data-row={record.id}
      data-selected={isSelected || undefined}
      data-changed={isChanged || undefined}
      data-deleted={isDeleted || undefined}
      data-edited={editor !== null || undefined}
      style={style}
    >
      <div
        role="gridcell"
        data-column={0}
        className={styles.check}
        {...(isDeleted ? { tabIndex: tabIndex(0) } : {})}
      >
        <Checkbox
          size="xs"
          tabIndex={tabIndex(0)}
          aria-label={featureText('select', { name: title })}
          checked={isSelected}
          disabled={isDeleted}
          onChange={(event) => select((event.nativeEvent as MouseEvent).shiftKey === true)}
        />
      </div>
      {columns.map((column, place) => {
        const number = place + titleColumn;
        const isTitle = number === titleColumn;
        const isEdited = editor?.column === column;
        const canEdit = !isDeleted && isEditable(column);
        return (
          <div
            key={column}
            role="gridcell"
            aria-readonly={!canEdit}
            data-column={number}
            className={isTitle ? styles.title : styles.cell}
            data-editable={(canEdit && !isTitle) || undefined}
            data-edited={isEdited || undefined}
            {...(isTitle && !isDeleted ? {} : { tabIndex: tabIndex(number) })}
            onDoubleClick={() => {
              if (canEdit && !isEdited) edit(column);
            }}
          >
            <div className={`${shared.cut} ${styles.value}`}>
              {!isTitle && <Cell resource={resource} parentId={parentId} column={column} record={record} />}
              {isTitle && isDeleted && (
                <span className={shared.dimmed}>
                  <s>{title}</s> {ownLive('deletedRow')}
                </span>
              )}
              {isTitle && !isDeleted && (
                <Link
                  to={recordPathOf(resource, parentId, record.id)}
                  tabIndex={tabIndex(number)}
                  className={`${shared.name} ${shared.cover}`}
                >
                  {title}
                </Link>
              )}
            </div>
            <ChangeState states={states} field={column} />
            {isEdited && editor.content}
          </div>
        );
      })}
    </div>
  );
}
