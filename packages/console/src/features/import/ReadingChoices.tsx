/** How the values of a column are read, as the whole column decides or a person chooses: separator, order of dates, decimal sign. */
import { NativeSelect } from '@mantine/core';
import type { ColumnSettings } from '@trellis/importer/columns.ts';
import type { ColumnReading } from '@trellis/importer/conventions.ts';
import { separators } from '@trellis/importer/separators.ts';
import { useFeatureText } from '../../text/feature.ts';
import type { ImportSettings } from './job.ts';
import { texts } from './texts.ts';

interface Props {
  readonly column: string;
  readonly reading: ColumnReading;
  readonly settings: ImportSettings;
  readonly change: (settings: Partial<ImportSettings>) => void;
}

/** The choice of a column that its values leave open, or that several separators apply to. */
const open = 'open';

export function ReadingChoices({ column, reading, settings: { columnSettings }, change }: Props) {
  const featureText = useFeatureText(texts);
  const set = (more: ColumnSettings) => {
    change({ columnSettings: { ...columnSettings, [column]: { ...columnSettings[column], ...more } } });
  };
  const several = (reading.separators ?? [])
    .map((separator) => featureText('separated', { separator }))
    .join(' · ');
  const [only = open, ...others] = reading.separators ?? [];
  return (
    <>
      {reading.separators !== null && (
        <NativeSelect
          size="xs"
          aria-label={featureText('separator', { column })}
          data={[
            ...(others.length === 0 ? [] : [{ value: open, label: several }]),
            ...separators.map((separator) => ({
              value: separator,
              label: featureText('separated', { separator }),
            })),
          ]}
          value={others.length === 0 ? only : open}
          onChange={(event) => {
            const separator = separators.find((one) => one === event.currentTarget.value);
            if (separator !== undefined) set({ separator });
          }}
        />
      )}
      {reading.dates !== null && (
        <NativeSelect
          size="xs"
          aria-label={featureText('dates', { column })}
          data={[...(reading.dates === open ? [open] : []), 'dmy', 'mdy'].map((order) => ({
            value: order,
            label: featureText('dateOrder', { order }),
          }))}
          value={reading.dates}
          onChange={(event) => {
            const order = event.currentTarget.value;
            if (order === 'dmy' || order === 'mdy') set({ dates: order });
          }}
        />
      )}
      {reading.decimal !== null && (
        <NativeSelect
          size="xs"
          aria-label={featureText('decimal', { column })}
          data={[...(reading.decimal === open ? [open] : []), 'point', 'comma'].map((sign) => ({
            value: sign,
            label: featureText('decimalSign', { sign }),
          }))}
          value={reading.decimal === open ? open : reading.decimal === ',' ? 'comma' : 'point'}
          onChange={(event) => {
            const decimal = event.currentTarget.value;
            if (decimal === 'point' || decimal === 'comma') set({ decimal });
          }}
        />
      )}
    </>
  );
}
