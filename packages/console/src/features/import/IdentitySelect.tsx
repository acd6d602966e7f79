/** Chooses what records are recognized by: the fields that identify them, or a column with a key. */
import { NativeSelect } from '@mantine/core';
import type { PreviewedColumn } from '@trellis/importer/preview.ts';
import { useFeatureText } from '../../text/feature.ts';
import type { ImportSettings } from './job.ts';
import { texts } from './texts.ts';

interface Props {
  readonly isPosts: boolean;
  readonly columns: readonly PreviewedColumn[];
  readonly settings: ImportSettings;
  readonly change: (settings: Partial<ImportSettings>) => void;
}

export function IdentitySelect({ isPosts, columns, settings, change }: Props) {
  const featureText = useFeatureText(texts);
  return (
    <NativeSelect
      label={featureText('identity')}
      data={[
        { value: '', label: featureText(isPosts ? 'byPath' : 'automatic') },
        ...columns
          .filter(({ column }) => !column.startsWith('('))
          .map(({ column }) => ({ value: column, label: featureText('byColumn', { column }) })),
      ]}
      value={settings.key ?? ''}
      onChange={(event) => {
        const key = event.currentTarget.value === '' ? null : event.currentTarget.value;
        change({ key, map: settings.map.filter(({ from }) => from !== key) });
      }}
    />
  );
}
