/** Resolves conflicts between two people's changes: shows both sides of each field, and of each passage of a text. */
import { Button, Stack, Text } from '@mantine/core';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { type ReactNode, useId, useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { Cell } from '../fields/Cell.tsx';
import { usePersonName } from '../fields/Person.tsx';
import { ReadValue } from '../fields/ReadValue.tsx';
import { withoutNull } from '../fields/value-schema.ts';
import {
  type ConflictPlace,
  type FieldConflict,
  placesOf,
  resolveConflicts,
  type Side,
} from '../outbox/merge/merge.ts';
import { nestValues } from '../outbox/store/fields.ts';
import { parentIdOf } from '../resources/places.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { excerptOf } from './conflict-excerpt.ts';
import styles from './Pending.module.css';
import { texts } from './texts.ts';

/** Maximum number of conflicts that are decided one by one; more would be unreadable and slow. */
const mostPlaces = 100;

interface DialogProps {
  /** The person decides later. */
  readonly close: () => void;
  readonly children: ReactNode;
}

export function ConflictDialog({ close, children }: DialogProps) {
  const featureText = useFeatureText(texts);
  return (
    <Dialog size={900} onClose={close} title={featureText('conflictTitle')}>
      {children}
    </Dialog>
  );
}

interface Props {
  readonly resource: Resource;
  /** For what its values refer to. */
  readonly record: ApiRecord;
  readonly conflicts: readonly FieldConflict[];
  /** What has happened, in a sentence. */
  readonly about: string;
  readonly isSaving?: boolean;
  /** Takes the value that each field in a conflict is to have, by dotted name. */
  readonly save: (chosen: ReadonlyMap<string, unknown>) => void;
  readonly close: () => void;
  /** What else there is to say. */
  readonly children?: ReactNode;
}

/** What the dialog asks. */
export function ConflictChoices({
  conflicts,
  about,
  isSaving = false,
  save,
  close,
  children,
  ...shown
}: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { updatedBy } = shown.record;
  const author = usePersonName(typeof updatedBy === 'string' ? updatedBy : null);
  const places = placesOf(conflicts);
  const others = places.slice(mostPlaces);
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const choose = (some: readonly ConflictPlace[], side: Side) =>
    setChosen({ ...chosen, ...Object.fromEntries(some.map(({ key }) => [key, side])) });
  const labelOf = ({ field, number }: ConflictPlace) =>
    number === null ? names.field(field) : featureText('conflictPart', { field: names.field(field), number });
  return (
    <Stack gap="lg">
      <Text size="sm">{about}</Text>
      {places.slice(0, mostPlaces).map((place) => (
        <Choice
          key={place.key}
          label={labelOf(place)}
          author={author}
          sides={sidesOf([place])}
          side={chosen[place.key] ?? 'mine'}
          choose={(side) => choose([place], side)}
          valueFor={(side) => <Value {...shown} place={place} side={side} />}
        />
      ))}
      {others[0] !== undefined && (
        <Choice
          label={featureText('conflictOthers', { count: others.length })}
          author={author}
          sides={sidesOf(others)}
          side={chosen[others[0].key] ?? 'mine'}
          choose={(side) => choose(others, side)}
        />
      )}
      {children}
      <div className={styles.buttons}>
        {/* Somebody may be typing when the question comes: the next key decides nothing. */}
        <Button variant="default" data-autofocus onClick={close}>
          {featureText('later')}
        </Button>
        <Button loading={isSaving} onClick={() => save(resolveConflicts(conflicts, chosen))}>
          {featureText('keepChoice')}
        </Button>
      </div>
    </Stack>
  );
}

/** Both sides can be kept, one after the other, where all places are passages of texts. */
function sidesOf(places: readonly ConflictPlace[]): readonly Side[] {
  return places.every(({ number }) => number !== null) ? ['mine', 'theirs', 'both'] : ['mine', 'theirs'];
}

interface ChoiceProps {
  readonly label: string;
  /** Name of who has made the other change. */
  readonly author: string;
  readonly sides: readonly Side[];
  readonly side: Side;
  readonly choose: (side: Side) => void;
  readonly valueFor?: (side: 'mine' | 'theirs') => ReactNode;
}

function Choice({ label, author, sides, side, choose, valueFor }: ChoiceProps) {
  const featureText = useFeatureText(texts);
  const name = useId();
  return (
    <section aria-label={label}>
      <h3 className={styles.field}>{label}</h3>
      <div className={styles.choices}>
        {sides.map((one) => (
          <label key={one} className={styles.choice} data-both={one === 'both' || undefined}>
            <input
              type="radio"
              name={name}
              checked={side === one}
              onChange={() => choose(one)}
              aria-label={`${label}: ${featureText(one)}`}
            />
            <span className={styles.side}>
              <span>{featureText(one)}</span>
              {one === 'theirs' && ` · ${author}`}
            </span>
            {one !== 'both' && valueFor !== undefined && (
              <span className={styles.value}>{valueFor(one)}</span>
            )}
          </label>
        ))}
      </div>
    </section>
  );
}

interface ValueProps extends Pick<Props, 'resource' | 'record'> {
  readonly place: ConflictPlace;
  readonly side: 'mine' | 'theirs';
}

/** A value as lists show it; of a text, the part around its first difference from the other side. */
function Value({ resource, record, place, side }: ValueProps) {
  const featureText = useFeatureText(texts);
  const value = place[side];
  if (value === null || value === undefined || value === '') return <em>{featureText('empty')}</em>;
  if (Array.isArray(value) || isPlainObject(value)) {
    const field = flattenFields(resource).find(([name]) => name === place.field)?.[1];
    const { schema } = withoutNull(field?.schema ?? {});
    const parentId = field?.reference?.sameParent === false ? null : parentIdOf(resource, record);
    return (
      <ReadValue schema={schema} value={value} target={field?.reference?.resource} parentId={parentId} />
    );
  }
  if (typeof value === 'string' && (place.number !== null || value.length > 60))
    return <>{excerptOf(value, String(place[side === 'mine' ? 'theirs' : 'mine'] ?? ''))}</>;
  const shown = { ...nestValues([[place.field, value]]), id: record.id, version: record.version };
  return (
    <Cell resource={resource} parentId={parentIdOf(resource, record)} column={place.field} record={shown} />
  );
}
