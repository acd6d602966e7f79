/** An entry of a list that names a record, such as an article in the contents of an issue, on one line: what can be seen of it at a glance. */
import { ActionIcon, Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { Fault } from '../api/problem.ts';
import { resourceByName, targetOfReference } from '../resources/declared.ts';
import { recordPathOf } from '../resources/places.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Icon } from '../ui/icons.tsx';
import shared from '../ui/shared.module.css';
import styles from './EntryRow.module.css';
import { useParentOf } from './parent-search.ts';
import { useRecordName, useRecordStatus, useRecordTitle } from './ReferenceName.tsx';
import { Status } from './Status.tsx';
import type { ValueSchema } from './value-schema.ts';

/** The member of an entry that names its record, and the resources of that and of its parent. */
export interface NamingMember {
  readonly name: string;
  readonly target: Resource;
  readonly parent: Resource;
}

/** The member that entries are shown on one line by; null for entries whose members are few enough to stand in the form. */
export function namingMemberOf(item: ValueSchema): NamingMember | null {
  const [name = ''] = item.required ?? [];
  const target = targetOfReference(item.properties?.[name]?.['x-reference']);
  if (target === undefined || target.parent === null) return null;
  return { name, target, parent: resourceByName(target.parent.resource) };
}

interface Props {
  readonly naming: NamingMember;
  readonly schema: ValueSchema;
  readonly value: Readonly<Record<string, unknown>>;
  /** What is wrong with it, where its inputs do not say so. */
  readonly faults: readonly Fault[];
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

export function EntryRow({ naming, schema, value, faults, isOpen, toggle }: Props) {
  const { name, target, parent } = naming;
  const names = useNames();
  const given = value[name];
  const id = typeof given === 'string' ? given : null;
  const { parentId, isSearching } = useParentOf(parent, target, id);
  const recordName = useRecordName(target, parentId, id);
  const status = useRecordStatus(target, parentId, id);
  const others = Object.keys(schema.properties ?? {}).filter((member) => member !== name);
  return (
    <button
      type="button"
      className={`${shared.plain} ${styles.row}`}
      aria-expanded={isOpen}
      data-entry
      onClick={toggle}
    >
      <Icon name="chevronRight" size={14} />
      <span className={styles.title} data-empty={id === null || undefined}>
        {id === null ? names.field(name) : isSearching ? '…' : recordName}
      </span>
      {status !== null && (
        <span className={styles.status}>
          <Status value={status} />
        </span>
      )}
      {describe(others, value).map((text) => (
        <span key={text} className={shared.about}>
          {text}
        </span>
      ))}
      {faults.length > 0 && (
        <Box component="span" className={shared.fault} flex="0 0 100%">
          {faults.map(({ detail }) => detail).join(' ')}
        </Box>
      )}
    </button>
  );
}

/** The way to the record of an entry, in a tab of its own: what is being edited stays. Nothing without a record to read. */
export function EntryLink({ naming: { name, target, parent }, value }: Pick<Props, 'naming' | 'value'>) {
  const text = useText();
  const given = value[name];
  const id = typeof given === 'string' ? given : null;
  const { parentId } = useParentOf(parent, target, id);
  const title = useRecordTitle(target, parentId, id);
  if (id === null || title === null) return null;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      renderRoot={(props) => (
        <Link {...props} to={recordPathOf(target, parentId, id) as string} target="_blank" />
      )}
      aria-label={text('select.open', { name: title })}
    >
      <Icon name="external" size={14} />
    </ActionIcon>
  );
}

/** The values of members as texts. Those of a start and its end are one: `12–15`. */
function describe(members: readonly string[], value: Props['value']): string[] {
  const textOf = (member: string) => String(value[member] ?? '');
  const texts = members.map((member) => {
    const range = /^(.+)(Start|End)$/.exec(member);
    if (range === null) return textOf(member);
    const [start, end] = [textOf(`${range[1]}Start`), textOf(`${range[1]}End`)];
    if (range[2] === 'End') return start === '' ? end : '';
    return end === '' || end === start || start === '' ? start : `${start}–${end}`;
  });
  return texts.filter((text) => text !== '');
}
