/** A section of a form with its heading. A rarely used one is collapsed until one of its fields has a value or a fault. */
import type { NamedField, Section } from '@trellis/schema/resources/resource.ts';
import { pointerOf, valueAt } from '@trellis/schema/values/paths.ts';
import { type ReactNode, useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import type { Fault } from '../api/problem.ts';
import type { Draft } from '../fields/draft.ts';
import { isEmpty } from '../fields/ReadValue.tsx';
import { useNames } from '../text/names.ts';
import { Icon } from '../ui/icons.tsx';
import shared from '../ui/shared.module.css';
import styles from './FormSection.module.css';

interface Props {
  readonly section: Section;
  /** Its fields, by name. */
  readonly fields: readonly NamedField[];
  /** Null for a record that is not created yet. */
  readonly record: ApiRecord | null;
  readonly draft: Draft;
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
  /** The inputs or values of the fields. */
  readonly children: ReactNode;
}

export function FormSection({ section, record, draft, faults, fields, isReadOnly, children }: Props) {
  const names = useNames();
  const isFilled = fields.some(([name, { defaultValue }]) => {
    const value = Object.hasOwn(draft, name) ? draft[name] : valueAt(record, name);
    return !isEmpty(value) && (isReadOnly || value !== defaultValue);
  });
  if (isReadOnly && !isFilled) return null;
  const title = names.heading(section);
  if (section.isRare === true && !isReadOnly) {
    const isFaulty = fields.some(([name]) =>
      faults.some(({ pointer = '' }) => `${pointer}/`.startsWith(`${pointerOf(name)}/`)),
    );
    return (
      <Folded title={title} isFilled={isFilled} isFaulty={isFaulty}>
        {children}
      </Folded>
    );
  }
  return (
    <fieldset className={`${shared.fields} ${styles.section}`}>
      <legend className={styles.title}>{title}</legend>
      {children}
    </fieldset>
  );
}

interface FoldedProps {
  readonly title: string;
  readonly isFilled: boolean;
  readonly isFaulty: boolean;
  readonly children: ReactNode;
}

/** Expands when a value arrives, and stays expanded while there is a fault. Browsers expand it for matches of the page search. */
function Folded({ title, isFilled, isFaulty, children }: FoldedProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasFilled, setWasFilled] = useState(false);
  if (isFilled !== wasFilled) {
    setWasFilled(isFilled);
    if (isFilled) setIsOpen(true);
  }
  return (
    <details
      className={`${shared.fields} ${styles.section}`}
      open={isOpen || isFaulty}
      onToggle={({ currentTarget: details }) => {
        if (isFaulty) details.open = true;
        setIsOpen(details.open);
      }}
    >
      <summary className={styles.title}>
        <Icon name="chevronRight" size={14} />
        {title}
      </summary>
      <div className={`${shared.fields} ${styles.fields}`}>{children}</div>
    </details>
  );
}
