/** The inputs of an object, and of a list of objects: one group for each, added, moved and removed by buttons. */
import { ActionIcon, Button } from '@mantine/core';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { type ComponentType, type KeyboardEvent, useEffect, useRef } from 'react';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Icon } from '../ui/icons.tsx';
import { faultsAt } from './draft.ts';
import styles from './ListEditor.module.css';
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
      <legend className={styles.legend}>{props.label}</legend>
      <div className={styles.item}>
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

/** A list of objects. */
export function ListEditor(
  props: Omit<ValueProps, 'target'> &
    WithInput & { readonly value: readonly unknown[]; readonly item: ValueSchema },
) {
  const { label, description, value, item, onChange, fault, pointer, disabled = false } = props;
  const text = useText();
  const list = useRef<HTMLFieldSetElement>(null);
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
    list.current
      ?.querySelector<HTMLElement>(`[data-position="${value.length - 1}"] :is(input, textarea)`)
      ?.focus();
  }, [value.length]);
  const replace = (index: number, next: unknown) =>
    onChange(value.map((one, at) => (at === index ? next : one)));
  // The focus goes with the entry: pressed again, the key moves the same one further.
  const move = (index: number, by: number) => {
    const entry = list.current?.querySelector(`[data-position="${index}"]`);
    const control = controlsOf(entry).findIndex((one) => one === document.activeElement);
    moved.current = { position: index + by, control };
    const entries = [...value];
    const [one] = entries.splice(index, 1);
    entries.splice(index + by, 0, one);
    onChange(entries);
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
      <legend className={styles.legend}>{label}</legend>
      {value.map((one, index) => (
        <div
          key={index}
          className={styles.item}
          data-position={index}
          onKeyDownCapture={(event) => moveByKey(event, index)}
        >
          <Members
            {...props}
            schema={item}
            value={isPlainObject(one) ? one : {}}
            onChange={(next) => replace(index, next)}
            pointer={`${pointer}/${index}`}
          />
          <div className={styles.tools}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={text('form.up', { label, position: index + 1 })}
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
              aria-label={text('form.down', { label, position: index + 1 })}
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
              aria-label={text('form.remove', { label, position: index + 1 })}
              disabled={disabled}
              onClick={() => onChange(value.filter((_, at) => at !== index))}
            >
              <Icon name="trash" size={14} />
            </ActionIcon>
          </div>
        </div>
      ))}
      {fault !== null && <p className={styles.fault}>{fault}</p>}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          aria-label={text('form.addTo', { label })}
          disabled={disabled}
          onClick={() => {
            isAdded.current = true;
            onChange([...value, {}]);
          }}
        >
          {text('form.add')}
        </Button>
      </div>
      {description !== undefined && <p className={styles.description}>{description}</p>}
    </fieldset>
  );
}
