/** Values of the file that are none of ours, each with its number of rows: a person says what they stand for, and all rows are corrected. */
import { Button, NativeSelect } from '@mantine/core';
import { listDestinations } from '@trellis/importer/destinations.ts';
import type { UnknownValueRows } from '@trellis/importer/report.ts';
import { type KnownSet, knownSetOf } from '@trellis/importer/unknown-values.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { listCountries } from '../../fields/countries.ts';
import { OptionSelect } from '../../fields/OptionSelect.tsx';
import { RecordSelect } from '../../fields/RecordSelect.tsx';
import { useRecordName } from '../../fields/ReferenceName.tsx';
import { listCurrencies, listLanguages, type Option } from '../../fields/written.ts';
import { resourceByName } from '../../resources/declared.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import details from '../../ui/details.module.css';
import shared from '../../ui/shared.module.css';
import styles from './Import.module.css';
import type { ImportSettings } from './job.ts';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly isPosts: boolean;
  readonly unknown: readonly UnknownValueRows[];
  readonly settings: ImportSettings;
  /** Receives the settings with the chosen values; the rows are checked again. */
  readonly apply: (settings: Pick<ImportSettings, 'columnSettings'>) => void;
}

/** What a value stands for: one of ours, nothing, or undecided. */
type Meaning = string | null | undefined;

const shown = 50;

export function UnknownValues({ resource, isPosts, unknown, settings, apply }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const [chosen, setChosen] = useState<Readonly<Record<string, Meaning>>>({});
  const destinations = listDestinations(resource, isPosts);
  const sets = unknown.slice(0, shown).flatMap((one) => {
    const destination = destinations.find(({ name }) => name === one.to);
    const set = destination === undefined ? null : knownSetOf(destination);
    return set === null ? [] : [{ ...one, set, key: JSON.stringify([one.column, one.value]) }];
  });
  if (sets.length === 0) return null;
  const decided = sets.filter(({ key }) => chosen[key] !== undefined);
  const applyChosen = () => {
    const columnSettings = { ...settings.columnSettings };
    for (const { column, value, key } of decided) {
      const before = columnSettings[column];
      columnSettings[column] = { ...before, values: { ...before?.values, [value]: chosen[key] ?? null } };
    }
    apply({ columnSettings });
  };
  return (
    <>
      <h3 className={shared.subtitle}>{featureText('unknownValues')}</h3>
      <p className={shared.about}>{featureText('unknownAbout')}</p>
      <div className={shared.frame}>
        <table className={`${details.table} ${styles.table}`}>
          <thead>
            <tr>
              <th scope="col">{featureText('column')}</th>
              <th scope="col">{featureText('valueOfFile')}</th>
              <th scope="col">{featureText('rowsOfValue')}</th>
              <th scope="col">{featureText('standsFor')}</th>
            </tr>
          </thead>
          <tbody>
            {sets.map(({ column, to, value, rows, set, key }) => (
              <tr key={key}>
                <th scope="row">{column}</th>
                <td>
                  <bdi>{value}</bdi>
                </td>
                <td>{featureText('rows', { count: rows })}</td>
                <td>
                  <MeaningSelect
                    set={set}
                    label={featureText('meaningOf', { value, field: names.field(to) })}
                    value={chosen[key]}
                    onChange={(meaning) => setChosen({ ...chosen, [key]: meaning })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={shared.group}>
        <Button variant="default" disabled={decided.length === 0} onClick={applyChosen}>
          {featureText('applyMeanings')}
        </Button>
        {unknown.length > sets.length && (
          <span className={shared.about}>
            {featureText('moreValues', { count: unknown.length - sets.length })}
          </span>
        )}
      </div>
    </>
  );
}

interface MeaningProps {
  readonly set: KnownSet;
  readonly label: string;
  readonly value: Meaning;
  readonly onChange: (meaning: Meaning) => void;
}

/** The choices of a select that are no values. */
const [open, nothing, one] = ['?', '', '+'];

function MeaningSelect({ set, label, value, onChange }: MeaningProps) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { locale } = useIntl();
  const [isChoosing, setIsChoosing] = useState(false);
  const values = set.kind === 'values' ? set.values : [];
  const select = (
    <NativeSelect
      size="xs"
      aria-label={label}
      data={[
        { value: open, label: featureText('undecided') },
        ...(set.kind === 'values'
          ? values.map((known) => ({ value: known, label: names.value(known) }))
          : [{ value: one, label: featureText('chooseOne', { kind: set.kind }) }]),
        { value: nothing, label: featureText('leftEmpty') },
      ]}
      value={isChoosing ? one : value === undefined ? open : (value ?? nothing)}
      onChange={({ currentTarget: { value: next } }) => {
        setIsChoosing(next === one);
        onChange(next === open || next === one ? undefined : next === nothing ? null : next);
      }}
    />
  );
  if (!isChoosing || set.kind === 'values') return select;
  return (
    <div className={shared.tight}>
      {select}
      {set.kind === 'members' ? (
        <RecordSelect
          resource={resourceByName('members')}
          parentId={null}
          size="xs"
          label={label}
          hideLabel
          value={value ?? null}
          onChange={(id) => onChange(id ?? undefined)}
        />
      ) : (
        <OptionSelect
          size="xs"
          aria-label={label}
          options={optionsOf(set.kind, locale)}
          value={value ?? null}
          onChange={(next) => onChange(next ?? undefined)}
        />
      )}
    </div>
  );
}

function optionsOf(kind: 'country' | 'locale' | 'currency', locale: string): readonly Option[] {
  if (kind === 'country') return listCountries(locale);
  return kind === 'locale' ? listLanguages(locale) : listCurrencies(locale);
}

interface MappedProps {
  readonly column: string;
  readonly settings: ImportSettings;
  readonly change: (settings: Partial<ImportSettings>) => void;
}

/** What values of a column stand for, as was chosen; each choice can be taken back. */
export function MappedValues({ column, settings: { columnSettings }, change }: MappedProps) {
  const featureText = useFeatureText(texts);
  const own = Object.hasOwn(columnSettings, column) ? columnSettings[column] : undefined;
  const entries = Object.entries(own?.values ?? {});
  if (entries.length === 0) return null;
  const remove = (value: string) => {
    const rest = Object.fromEntries(entries.filter(([known]) => known !== value));
    change({ columnSettings: { ...columnSettings, [column]: { ...own, values: rest } } });
  };
  return (
    <ul className={styles.mapped}>
      {entries.map(([value, meaning]) => (
        <li key={value}>
          <MappedValue value={value} meaning={meaning} />
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={featureText('takeBackOf', { value })}
            onClick={() => remove(value)}
          >
            {featureText('takeBack')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function MappedValue({ value, meaning }: { readonly value: string; readonly meaning: string | null }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const members = resourceByName('members');
  const memberId = meaning?.startsWith(`${members.idPrefix}_`) === true ? meaning : null;
  const member = useRecordName(members, null, memberId);
  const isNamed = meaning !== null && /^[A-Z][A-Z_]{3,}$/.test(meaning);
  const word = memberId === null ? (isNamed ? names.value(meaning) : meaning) : member;
  return <bdi>{featureText('mappedTo', { value, meaning: word ?? featureText('nothing') })}</bdi>;
}
