/** Types of events as people read them, with their codes, which programs know them by. */
import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core';
import { eventTypes, testEventType } from '@trellis/schema/event-types.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import details from '../../ui/details.module.css';
import styles from './EventTypes.module.css';
import { nameEventType, nameKind } from './event-names.ts';
import { texts } from './texts.ts';

/** Gives the name of an event type or a pattern. */
export function useEventTypeName(): (type: string) => string {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const words = {
    names,
    everything: featureText('everything'),
    allOf: (kind: string) => featureText('allOf', { kind }),
  };
  return (type) => (type === testEventType ? featureText('test') : nameEventType(type, words));
}

/** The name of an event type or a pattern, and its code. */
export function EventTypeName({ type }: { readonly type: string }) {
  const nameOf = useEventTypeName();
  return (
    <span className={styles.type}>
      {nameOf(type)} <code className={`${details.code} ${styles.code}`}>{type}</code>
    </span>
  );
}

interface ListProps {
  readonly types: readonly string[];
  /** How many are shown; all unless given. */
  readonly most?: number;
}

/** Several of them. */
export function EventTypeNames({ types, most = types.length }: ListProps) {
  const featureText = useFeatureText(texts);
  return (
    <span className={styles.types}>
      {types.slice(0, most).map((type) => (
        <EventTypeName key={type} type={type} />
      ))}
      {types.length > most && <span>{featureText('moreTypes', { count: types.length - most })}</span>}
    </span>
  );
}

/** All types, by kind of record, each kind beginning with all of its types. */
export function useEventTypeChoices() {
  const names = useNames();
  const nameOf = useEventTypeName();
  const toChoice = (value: string) => ({ value, label: nameOf(value) });
  return [...Map.groupBy(eventTypes, ({ type }) => type.slice(0, type.lastIndexOf('.')))].map(
    ([prefix, types]) => ({
      group: nameKind(`${prefix}.*`, names),
      items: [toChoice(`${prefix}.*`), ...types.map(({ type }) => toChoice(type))],
    }),
  );
}

/** A type in a list to choose from. */
export function renderEventType({ option }: { readonly option: ComboboxItem }) {
  return (
    <span className={styles.option}>
      {option.label}
      <code className={`${details.code} ${styles.code}`}>{option.value}</code>
    </span>
  );
}

/** Finds types by their names and by their codes. */
export const filterEventTypes: OptionsFilter = ({ options, search }) => {
  const sought = search.trim().toLowerCase();
  const isFound = ({ value, label }: ComboboxItem) =>
    label.toLowerCase().includes(sought) || value.includes(sought);
  return options.flatMap((option): ComboboxParsedItem[] => {
    if (!('group' in option)) return isFound(option) ? [option] : [];
    const items = option.items.filter(isFound);
    return items.length === 0 ? [] : [{ ...option, items }];
  });
};
