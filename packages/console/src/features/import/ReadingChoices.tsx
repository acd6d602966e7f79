/** How the values of a column are read, as the whole column decides or a person chooses: what separates them, the order of dates, the decimal sign. */
import { NativeSelect } from '@mantine/core';
import type { ColumnSettings } from '@trellis/importer/columns.ts';
import type { ColumnReading } from '@trellis/importer/conventions.ts';
import { useFeatureText } from '../../text/feature.ts';
import shared from '../../ui/shared.module.css';
import type { ImportSettings } from './job.ts';
import { texts } from './texts.ts';

interface Props {
  readonly column: string;
  readonly reading: ColumnReading;
  readonly settings: ImportSettings;
  readonly change: (settings: Partial<ImportSettings>) => void;
}

/** The choice of a column that its values leave open. */
const open = 'open';

export function ReadingChoices({ column, reading, settings: { columnSettings }, change }: Props) {
  const featureText = useFeatureText(texts);
  const set = (more: ColumnSettings) => {
    change({ columnSettings: { ...columnSettings, [column]: { ...columnSettings[column], ...more } } });
  };
  return (
    <>
      {reading.separators !== null && (
        <p className={shared.about}>
          {reading.separators.map((separator) => featureText('separated', { separator })).join(' · ')}
        </p>
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
