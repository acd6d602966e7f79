/** The columns of a file with their values, and the field that each goes to. */
import { NativeSelect } from '@mantine/core';
import { listDestinations } from '@trellis/importer/destinations.ts';
import type { ColumnsPreview, PreviewedColumn, PreviewedFault } from '@trellis/importer/preview.ts';
import { shorten } from '@trellis/importer/report.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useMemo } from 'react';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import details from '../../ui/details.module.css';
import { Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { ColumnOptions } from './ColumnOptions.tsx';
import styles from './Import.module.css';
import type { ImportSettings } from './job.ts';
import { ReadingChoices } from './ReadingChoices.tsx';
import { texts } from './texts.ts';
import { MappedValues } from './UnknownValues.tsx';
import { useDestinationName, usePlace, useReason } from './use-words.ts';

/** The choice of a column about which a person has to decide. */
const undecided = '?';

interface Props {
  readonly resource: Resource;
  readonly isPosts: boolean;
  readonly preview: ColumnsPreview;
  readonly settings: ImportSettings;
  readonly change: (settings: Partial<ImportSettings>) => void;
}

export function ColumnTable({ resource, isPosts, preview, settings, change }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const nameOf = useDestinationName();
  const place = usePlace();
  const describeReason = useReason();
  const destinations = useMemo(() => listDestinations(resource, isPosts), [resource, isPosts]);
  const options = useMemo(
    () =>
      destinations
        .map((destination) => ({ value: destination.name, label: nameOf(destination) }))
        .sort((left, right) => left.label.localeCompare(right.label)),
    [destinations, nameOf],
  );
  const map = (column: string, to: string | null) => {
    const others = settings.map.filter(({ from }) => from !== column);
    change({
      map: [...others, { from: column, to }],
      key: settings.key === column ? null : settings.key,
    });
  };
  const describe = (
    id: 'faultOfColumn' | 'omittedOfColumn' | 'faultOfRows',
    { rows, first }: PreviewedFault,
  ) => {
    const reason = first.reasons
      .map(id === 'faultOfRows' ? describeReason : (one) => names.sentence(withoutField(one)))
      .join(' ');
    return featureText(id, { count: rows, place: place(first.place), reason });
  };
  return (
    <>
      <div className={shared.frame}>
        <table className={`${details.table} ${styles.table}`}>
          <thead>
            <tr>
              <th scope="col">{featureText('column')}</th>
              <th scope="col">{featureText('values')}</th>
              <th scope="col">{featureText('field')}</th>
            </tr>
          </thead>
          <tbody>
            {preview.columns.map((column) => (
              <tr key={column.column} data-unused={column.to === null || undefined}>
                <th scope="row">{shorten(column.column)}</th>
                <td>
                  <Samples column={column} />
                </td>
                <td>
                  <NativeSelect
                    size="xs"
                    aria-label={featureText('fieldOf', { column: shorten(column.column) })}
                    data={[
                      ...(column.isUnclear ? [{ value: undecided, label: featureText('decide') }] : []),
                      { value: '', label: featureText('notImported') },
                      ...options,
                    ]}
                    value={chosenField(column, settings)}
                    onChange={(event) => {
                      const { value } = event.currentTarget;
                      if (value !== undecided) map(column.column, value || null);
                    }}
                  />
                  {column.isUnclear && <p className={shared.fault}>{featureText('unclear')}</p>}
                  <MappedValues column={column.column} settings={settings} change={change} />
                  {column.reading !== null && (
                    <ReadingChoices
                      column={column.column}
                      reading={column.reading}
                      settings={settings}
                      change={change}
                    />
                  )}
                  {destinations
                    .filter(({ name }) => name === chosenField(column, settings))
                    .map((destination) => (
                      <ColumnOptions
                        key={destination.name}
                        resource={resource}
                        column={column.column}
                        destination={destination}
                        isPosts={isPosts}
                        settings={settings}
                        change={change}
                      />
                    ))}
                  {column.omitted !== null && (
                    <p className={shared.about}>{describe('omittedOfColumn', column.omitted)}</p>
                  )}
                  {column.fault !== null && (
                    <p className={shared.fault}>{describe('faultOfColumn', column.fault)}</p>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {preview.fault !== null && (
        <Notice kind="hint" icon="warning">
          {describe('faultOfRows', preview.fault)}
        </Notice>
      )}
    </>
  );
}

/** A reason such as `emails.0.address: Must be …` beside the name of the field. */
function withoutField(reason: string): string {
  return reason.replace(/^[a-z][\w.]*: /, '');
}

/** The name of the field of a column; '' for none. A choice is shown before the preview follows it. */
function chosenField({ column, to, isUnclear }: PreviewedColumn, { map, key }: ImportSettings): string {
  const rule = map.find(({ from }) => from === column);
  if (rule !== undefined) return rule.to ?? '';
  if (key === column) return 'externalId';
  return to ?? (isUnclear ? undecided : '');
}

function Samples({ column: { samples } }: { readonly column: PreviewedColumn }) {
  const featureText = useFeatureText(texts);
  return (
    <span className={`${details.clamp} ${shared.dimmed}`}>
      {samples.length === 0 ? featureText('noValues') : samples.join(' · ')}
    </span>
  );
}
