/** How a table is read: its encoding, and the line with the names of its columns, which are recognized and can be corrected. */
import { NativeSelect } from '@mantine/core';
import { encodings } from '@trellis/importer/readers/encoding.ts';
import type { TableReading } from '@trellis/importer/source.ts';
import { useFeatureText } from '../../text/feature.ts';
import type { TableSettings } from './files.ts';
import styles from './Import.module.css';
import { texts } from './texts.ts';

interface Props {
  readonly table: TableReading;
  readonly change: (settings: TableSettings) => void;
}

export function TableChoices({ table: { encoding, headerLine, firstRows }, change }: Props) {
  const featureText = useFeatureText(texts);
  const lines = firstRows.map(({ line, text }) => ({
    value: String(line),
    label: featureText('lineWith', { number: line, text }),
  }));
  const known = lines.some(({ value }) => value === String(headerLine));
  return (
    <div className={styles.choices}>
      <NativeSelect
        label={featureText('encoding')}
        data={[...encodings]}
        value={encoding}
        onChange={(event) => change({ encoding: event.currentTarget.value })}
      />
      {headerLine !== null && known && (
        <NativeSelect
          label={featureText('headerLine')}
          data={lines}
          value={String(headerLine)}
          onChange={(event) => change({ headerLine: Number(event.currentTarget.value) })}
        />
      )}
    </div>
  );
}
