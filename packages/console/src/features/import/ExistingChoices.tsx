/** What becomes of records that exist, and of rows that stand for the record of an earlier row. */
import { NativeSelect } from '@mantine/core';
import { changeInput, duplicateChoices, existingChoices } from '@trellis/importer/existing.ts';
import type { PreviewedColumn } from '@trellis/importer/preview.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import styles from './Import.module.css';
import type { ImportSettings } from './job.ts';
import { texts } from './texts.ts';

interface Props {
  /** Why records cannot be changed; null if they can. */
  readonly refusal: string | null;
  /** Null where no columns are mapped, as of a file of an export, or they are not known yet. */
  readonly columns: readonly PreviewedColumn[] | null;
  readonly settings: Pick<ImportSettings, 'existing' | 'duplicates'>;
  readonly change: (settings: Partial<ImportSettings>) => void;
}

export function ExistingChoices({ refusal, columns, settings: { existing, duplicates }, change }: Props) {
  const featureText = useFeatureText(texts);
  const field = useNames().field(changeInput);
  const isNewer = existing === 'newer' || duplicates === 'newer';
  return (
    <>
      <div className={styles.choices}>
        <NativeSelect
          label={featureText('existing')}
          data={existingChoices.map((value) => ({ value, label: featureText(`existing.${value}`) }))}
          value={existing}
          disabled={refusal !== null}
          description={refusal ?? undefined}
          onChange={({ currentTarget: { value } }) => {
            const chosen = existingChoices.find((one) => one === value);
            if (chosen !== undefined) change({ existing: chosen });
          }}
        />
        <NativeSelect
          label={featureText('duplicates')}
          data={duplicateChoices.map((value) => ({ value, label: featureText(`duplicates.${value}`) }))}
          value={duplicates}
          onChange={({ currentTarget: { value } }) => {
            const chosen = duplicateChoices.find((one) => one === value);
            if (chosen !== undefined) change({ duplicates: chosen });
          }}
        />
      </div>
      {isNewer &&
        (columns === null || columns.some(({ to }) => to === changeInput) ? (
          <p className={shared.about}>{featureText('newerAbout', { field })}</p>
        ) : (
          <Notice kind="hint" icon="warning">
            {featureText('newerMissing', { field })}
          </Notice>
        ))}
    </>
  );
}
