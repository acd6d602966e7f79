/**
 * The inputs of an object, and of a list of objects: one group for each, added, moved and removed by buttons, and moved by dragging as well. Entries that name a record are
 * on one line each, and show their inputs when they are opened.
 */
import { ActionIcon, Button } from '@mantine/core';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { Icon, Outline } from '../ui/icons.tsx';
import shared from '../ui/shared.module.css';
import { faultsAt } from './draft.ts';
import { EntryLink, EntryRow, namingMemberOf } from './EntryRow.tsx';
import styles from './ListEditor.module.css';
import { texts as listTexts } from './list-texts.ts';
import { texts } from './texts.ts';
import { useEntryDragging } from './use-entry-dragging.ts';
import { type ValueProps, type ValueSchema, withoutNull } from './value-schema.ts';

type Values = Readonly<Record<string, unknown>>;

/** The input of a member; given, since that uses this file for lists in objects. */
interface WithInput {
  readonly Input: ComponentType<ValueProps>;
}

interface MembersProps extends WithInput, Pick<ValueProps, 'faults' | 'pointer' | 'parentId' | 'disabled'> {
  readonly schema: ValueSchema;
  readonly value: Values;
  readonly onChange: (value: Values) => void;
}

function Members({
  Input,
  schema,
  value,
  onChange,
  faults,
  pointer,
  parentId,
  disabled = false,
}: MembersProps) {
  const names = useNames();
  return (
    <div className={styles.members}>
      {Object.entries(schema.properties ?? {}).map(([name, given]) => {
        if (given.readOnly === true) return null;
        const { schema: member, isNullable } = withoutNull(given);
        const place = `${pointer}/${name}`;
        return (
          <Input
            key={name}
            schema={member}
            label={names.field(name)}
            value={value[name] ?? null}
            onChange={(next) => {
              const { [name]: _old, ...rest } = value;
              onChange(next === undefined ? rest : { ...rest, [name]: next });
            }}
            fault={faultsAt(faults, place)}
            faults={faults}
            pointer={place}
            target={member['x-reference']}
            parentId={parentId}
            isNullable={isNullable}
            emptyValue={isNullable ? null : undefined}
            required={schema.required?.includes(name) ?? false}
            disabled={disabled}
          />
        );
      })}
    </div>
  );
}

/** An object. */
export function ObjectEditor(props: Omit<ValueProps, 'target'> & WithInput & { readonly value: Values }) {
  return (
    <fieldset className={styles.object}>
      <legend className={shared.label}>{props.label}</legend>
      <div className={`${shared.box} ${styles.item}`}>
        <Members {...props} onChange={props.onChange} />
      </div>
    </fieldset>
  );
}

/** Where the focus belongs after a move: the entry, and the control in it. */
interface Moved {
  readonly position: number;
  readonly control: number;
}

function controlsOf(entry: Element | null | undefined): readonly HTMLElement[] {
  return [...(entry?.querySelectorAll<HTMLElement>('input, textarea, button') ?? [])];
}

/** The entry whose inputs are shown, where entries are on one line. */
interface Opened {
  readonly position: number;
  /** Whether it was just added: the next one follows it. */
  readonly isNew: boolean;
}

/** A list of objects. */
export function ListEditor(
  props: Omit<ValueProps, 'target'> &
    WithInput & { readonly value: readonly unknown[]; readonly item: ValueSchema },
) {
  const { label, description, value, item, onChange, fault, faults, pointer, disabled = false } = props;
  const fieldText = useFeatureText(texts);
  const listText = useFeatureText(listTexts);
  const list = useRef<HTMLFieldSetElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const naming = namingMemberOf(item);
  const isAdded = useRef(false);
  const moved = useRef<Moved | null>(null);
  useEffect(() => {
    const { current } = moved;
    moved.current = null;
    if (current === null) return;
    const entry = list.current?.querySelector(`[data-position="${current.position}"]`);
    const [first] = entry?.querySelectorAll<HTMLElement>('[data-move]:not(:disabled)') ?? [];
    const wanted = controlsOf(entry)[current.control];
    // At an end of the list the button that was pressed has nothing to do.
    (wanted?.matches(':disabled') === false ? wanted : first)?.focus();
  });
  useEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    const entry = list.current?.querySelector(`[data-position="${value.length - 1}"]`);
    const inputs = [
      ...(entry?.querySelectorAll<HTMLElement>('input:enabled:not([type=hidden]), textarea') ?? []),
    ];
    const place = `${pointer}/${value.length - 1}/${naming?.name}`;
    const named = inputs.filter((input) => input.closest(`[data-pointer="${CSS.escape(place)}"]`) !== null);
    // Where the parent is known, such as the site, the record is next.
    (named.at(-1) ?? inputs[0])?.focus();
  }, [value.length, pointer, naming?.name]);
  const replace = (index: number, next: unknown) =>
    onChange(value.map((one, at) => (at === index ? next : one)));
  // The focus goes with the entry: pressed again, the key moves the same one further.
  const move = (index: number, by: number) => {
    const entry = list.current?.querySelector(`[data-position="${index}"]`);
    const control = controlsOf(entry).findIndex((one) => one.matches(':focus'));
    moved.current = { position: index + by, control };
    moveTo(index, index + by);
  };
  const moveTo = (from: number, to: number) => {
    const order = [...value.keys()];
    order.splice(to, 0, ...order.splice(from, 1));
    if (opened !== null) setOpened({ ...opened, position: order.indexOf(opened.position) });
    onChange(order.map((position) => value[position]));
  };
  const dragging = useEntryDragging(moveTo);
  const remove = (index: number) => {
    if (opened !== null && opened.position >= index)
      setOpened(opened.position === index ? null : { ...opened, position: opened.position - 1 });
    onChange(value.filter((_, at) => at !== index));
  };
  /** Enter in an input of an entry on one line closes it; after a new one, the next is added by the same key. */
  const closeByKey = (event: KeyboardEvent<HTMLElement>, index: number, isNamed: boolean) => {
    const { target, key, nativeEvent } = event;
    if (key !== 'Enter' || nativeEvent.isComposing || event.defaultPrevented) return;
    if (!(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (!isNamed) return;
    const header = list.current?.querySelector<HTMLElement>(`[data-position="${index}"] [data-entry]`);
    (opened?.isNew === true ? add.current : header)?.focus();
    setOpened(null);
  };
  const moveByKey = (event: KeyboardEvent, index: number) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (!disabled && index + by >= 0 && index + by < value.length) move(index, by);
  };
  return (
    <fieldset ref={list} className={styles.object}>
      <legend className={shared.label}>{label}</legend>
      {value.map((one, index) => {
        const entry = isPlainObject(one) ? one : {};
        const place = `${pointer}/${index}`;
        const found = faults.filter(({ pointer: at = '' }) => `${at}/`.startsWith(`${place}/`));
        const isOpen = naming === null || opened?.position === index;
        const members = isOpen && (
          <Members
            {...props}
            schema={item}
            value={entry}
            onChange={(next) => replace(index, next)}
            pointer={place}
          />
        );
        return (
          <div
            key={index}
            className={naming === null ? `${shared.box} ${styles.item}` : `${shared.frame} ${styles.entry}`}
            data-position={index}
            data-pointer={place}
            onKeyDownCapture={(event) => moveByKey(event, index)}
            {...dragging.propsOfTarget(index)}
          >
            {naming === null ? (
              members
            ) : (
              <EntryRow
                naming={naming}
                schema={item}
                value={entry}
                faults={isOpen ? [] : found}
                isOpen={isOpen}
                toggle={() =>
                  setOpened(opened?.position === index ? null : { position: index, isNew: false })
                }
              />
            )}
            <div className={styles.tools}>
              {naming !== null && !isOpen && <EntryLink naming={naming} value={entry} />}
              {value.length > 1 && !disabled && (
                <span className={styles.grip} title={fieldText('drag')} {...dragging.propsOfGrip(index)}>
                  <Outline path="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" size={16} />
                </span>
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={listText('moveUp', { label, position: index + 1 })}
                aria-keyshortcuts="Alt+ArrowUp"
                data-move
                disabled={disabled || index === 0}
                onClick={() => move(index, -1)}
              >
                <span className={styles.up}>
                  <Icon name="chevronDown" size={14} />
                </span>
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={listText('moveDown', { label, position: index + 1 })}
                aria-keyshortcuts="Alt+ArrowDown"
                data-move
                disabled={disabled || index === value.length - 1}
                onClick={() => move(index, 1)}
              >
                <Icon name="chevronDown" size={14} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={listText('removeEntry', { label, position: index + 1 })}
                disabled={disabled}
                onClick={() => remove(index)}
              >
                <Icon name="trash" size={14} />
              </ActionIcon>
            </div>
            {naming !== null && isOpen && (
              <div
                role="group"
                aria-label={listText('entry', { label, position: index + 1 })}
                className={styles.opened}
                onKeyDown={(event) => closeByKey(event, index, typeof entry[naming.name] === 'string')}
              >
                {members}
              </div>
            )}
          </div>
        );
      })}
      {fault !== null && <p className={shared.fault}>{fault}</p>}
      <div>
        <Button
          ref={add}
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          aria-label={listText('addTo', { label })}
          disabled={disabled}
          onClick={() => {
            isAdded.current = true;
            setOpened({ position: value.length, isNew: true });
            onChange([...value, {}]);
          }}
        >
          {listText('add')}
        </Button>
      </div>
      {description !== undefined && <p className={shared.small}>{description}</p>}
    </fieldset>
  );
}
