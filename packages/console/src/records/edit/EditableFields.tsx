/** The fields of a record with inline editing, using the cell editor of lists. */
import { Box } from '@mantine/core';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { type ReactNode, useRef, useState } from 'react';
import type { ApiRecord } from '../../api/api.ts';
import { isEmpty, ReadValue } from '../../fields/ReadValue.tsx';
import { type ValueSchema, withoutNull } from '../../fields/value-schema.ts';
import { usePendingChanges } from '../../outbox/edit/use-changes.ts';
import { targetOfReference } from '../../resources/declared.ts';
import { parentIdOf } from '../../resources/places.ts';
import { presentationOf } from '../../resources/presentation.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { Icon } from '../../ui/icons.tsx';
import { isFocusLost } from '../../ui/keep-focus.ts';
import shared from '../../ui/shared.module.css';
import { ChangeState } from './ChangeState.tsx';
import styles from './EditableFields.module.css';
import type { Leaving } from './FieldEditor.tsx';
import { texts } from './texts.ts';
import { type Editor, prepareEditor, useFieldEditor } from './use-field-editor.ts';
import { useFieldRefusal } from './use-field-refusal.ts';
import { withChanges } from './with-changes.ts';

interface Props {
  readonly resource: Resource;
  /** The server's version. */
  readonly record: ApiRecord;
  /** Whether the record was deleted in the meantime. */
  readonly isDeleted: boolean;
  readonly className: string | undefined;
  /** Further read-only names and values. */
  readonly children: ReactNode;
}

/** Names and values, with the reason where an editable field cannot be edited now. */
export function EditableFields({ resource, record: stored, isDeleted, className, children }: Props) {
  const names = useNames();
  const refusalOf = useFieldRefusal(resource);
  const openEditor = useFieldEditor();
  const { changes } = usePendingChanges();
  const [edited, setEdited] = useState<{ readonly name: string; readonly Editor: Editor } | null>(null);
  const { record, states } = withChanges(stored, changes);
  const { editedWhereRead = [] } = presentationOf(resource);
  const all = new Map(flattenFields(resource));
  const refusals = new Set<string>();
  const parentId = parentIdOf(resource, record);
  const entries = editedWhereRead.map((name) => {
    const field = all.get(name);
    const value = valueAt(record, name);
    const refusal = refusalOf(name, stored);
    if (refusal !== null) refusals.add(refusal);
    if (field === undefined || (refusal !== null && isEmpty(value))) return null;
    const { schema } = withoutNull(field.schema as ValueSchema);
    const target = field.reference?.resource;
    const shown = isEmpty(value) ? (
      <Nothing isPerson={targetOfReference(target)?.name === 'members'} isList={schema.type === 'array'} />
    ) : (
      <Value schema={schema} value={value} target={target} parentId={parentId} />
    );
    return (
      <Entry
        key={name}
        label={names.field(name)}
        begin={
          refusal !== null || isDeleted
            ? null
            : // One that is open is finished first: it may have what cannot be saved.
              () => openEditor((Editor) => setEdited((other) => other ?? { name, Editor }))
        }
        editor={
          edited?.name === name
            ? (close) => (
                <edited.Editor
                  resource={resource}
                  parentId={parentId}
                  shown={stored}
                  field={name}
                  isDeleted={isDeleted}
                  isAtEnd={false}
                  close={(leaving) => {
                    setEdited(null);
                    close(leaving);
                  }}
                />
              )
            : null
        }
      >
        {shown}
        <ChangeState states={states} field={name} />
      </Entry>
    );
  });
  return (
    <div>
      <dl className={className}>
        {entries}
        {children}
      </dl>
      {[...refusals].map((refusal) => (
        <Box component="p" key={refusal} className={shared.about} mt={12}>
          {refusal}
        </Box>
      ))}
    </div>
  );
}

interface EntryProps {
  readonly label: string;
  /** Opens the editor; null for a read-only field. */
  readonly begin: (() => void) | null;
  /** The open editor; it receives a function that closes it. */
  readonly editor: ((close: (leaving: Leaving) => void) => ReactNode) | null;
  readonly children: ReactNode;
}

function Entry({ label, begin, editor, children }: EntryProps) {
  const featureText = useFeatureText(texts);
  const place = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <dt>{label}</dt>
      <dd ref={place} className={styles.value} data-editable={begin !== null || undefined}>
        {children}
        {begin !== null && (
          <button
            ref={button}
            type="button"
            className={`${shared.plain} ${styles.button}`}
            aria-label={featureText('change', { field: label })}
            onClick={begin}
            onFocus={prepareEditor}
            onPointerEnter={prepareEditor}
          >
            <Icon name="pencil" size={14} />
          </button>
        )}
        {editor?.((leaving) => {
          // The save may complete after the user has moved the focus elsewhere.
          const isHere = isFocusLost() || place.current?.contains(document.activeElement);
          if (leaving !== 'elsewhere' && isHere) button.current?.focus();
        })}
      </dd>
    </>
  );
}

/** Labels side by side; other values as in lists. */
function Value(props: Parameters<typeof ReadValue>[0]) {
  const { value, target } = props;
  if (!Array.isArray(value) || target !== undefined) return <ReadValue {...props} />;
  return (
    <ul className={shared.tags}>
      {value.map((label) => (
        <li key={String(label)} className={shared.badge}>
          <ReadValue {...props} schema={props.schema.items ?? {}} value={label} />
        </li>
      ))}
    </ul>
  );
}

/** The placeholder of an empty value. */
function Nothing({ isPerson, isList }: { readonly isPerson: boolean; readonly isList: boolean }) {
  const featureText = useFeatureText(texts);
  return (
    <span className={shared.dimmed}>
      {featureText(isPerson ? 'nobody' : isList ? 'noneListed' : 'notSet')}
    </span>
  );
}
