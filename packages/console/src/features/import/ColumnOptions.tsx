/** What the values of a column do, beyond the field that they go to. Most columns need none of it, so it is closed at first. */
import { NativeSelect } from '@mantine/core';
import type { ColumnSettings } from '@trellis/importer/columns.ts';
import { hasSeparator, kindOf } from '@trellis/importer/conventions.ts';
import type { Destination } from '@trellis/importer/destinations.ts';
import { separators } from '@trellis/importer/separators.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { useFeatureText } from '../../text/feature.ts';
import shared from '../../ui/shared.module.css';
import styles from './Import.module.css';
import type { ImportSettings } from './job.ts';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly column: string;
  readonly destination: Destination;
  /** Whether lists are replaced unless that was chosen otherwise. */
  readonly isPosts: boolean;
  readonly settings: ImportSettings;
  readonly change: (settings: Partial<ImportSettings>) => void;
}

/** The choice to leave the separator to the values of the column. */
const automatic = '';

export function ColumnOptions(props: Props) {
  const { resource, column, destination, isPosts, settings, change } = props;
  const featureText = useFeatureText(texts);
  const { declared } = destination;
  const { allColumns, columnSettings } = settings;
  const own = Object.hasOwn(columnSettings, column) ? columnSettings[column] : undefined;
  const isList = declared === null || (declared.schema as JsonSchema).type === 'array';
  const isOptional = declared === null || !declared.required;
  const isSeparable = !isPosts && hasSeparator(kindOf(resource, { destination }));
  const set = (more: ColumnSettings) =>
    change({ columnSettings: { ...columnSettings, [column]: { ...own, ...more } } });
  if (!isList && !isOptional) return null;
  const lists = own?.lists ?? allColumns.lists ?? (isPosts ? 'replace' : 'add');
  const invalid = own?.invalid ?? allColumns.invalid ?? 'reject';
  return (
    <details className={`${shared.small} ${styles.options}`}>
      <summary aria-label={featureText('optionsOf', { column })}>{featureText('options')}</summary>
      {isSeparable && (
        <NativeSelect
          size="xs"
          label={featureText('separator')}
          data={[
            { value: automatic, label: featureText('separatorByColumn') },
            ...separators.map((separator) => ({
              value: separator,
              label: featureText('separated', { separator }),
            })),
          ]}
          value={own?.separator ?? automatic}
          onChange={(event) => {
            const { separator: _, ...rest } = own ?? {};
            const chosen = separators.find((one) => one === event.currentTarget.value);
            const next = chosen === undefined ? rest : { ...rest, separator: chosen };
            change({ columnSettings: { ...columnSettings, [column]: next } });
          }}
        />
      )}
      {isList && (
        <NativeSelect
          size="xs"
          label={featureText('lists')}
          data={[
            { value: 'add', label: featureText('listsAdd') },
            { value: 'replace', label: featureText('listsReplace') },
          ]}
          value={lists}
          onChange={(event) => set({ lists: event.currentTarget.value === 'add' ? 'add' : 'replace' })}
        />
      )}
      {isOptional && (
        <NativeSelect
          size="xs"
          label={featureText('invalid')}
          data={[
            { value: 'reject', label: featureText('invalidReject') },
            { value: 'omit', label: featureText('invalidOmit') },
          ]}
          value={invalid}
          onChange={(event) => set({ invalid: event.currentTarget.value === 'omit' ? 'omit' : 'reject' })}
        />
      )}
    </details>
  );
}
