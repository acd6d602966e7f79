/** The control of a filter that takes several of some values, which the API has separated by commas. */
import { MultiSelect } from '@mantine/core';
import { limits } from '@trellis/schema/resources/limits.ts';
import { useText } from '../text/text.ts';
import type { FilterProps } from './kinds/kind.ts';
import type { Option } from './written.ts';

interface Props extends Pick<FilterProps, 'label' | 'value' | 'autoFocus' | 'onChange'> {
  readonly data: readonly Option[];
}

export function SeveralFilter({ label, value, autoFocus, onChange, data }: Props) {
  const text = useText();
  return (
    <MultiSelect
      size="xs"
      aria-label={label}
      autoFocus={autoFocus}
      searchable
      selectFirstOptionOnChange
      maxValues={limits.parameterValues}
      data={data}
      value={[...valuesOf(value)]}
      onChange={(values) => onChange(values.join())}
      nothingFoundMessage={text('select.none')}
      comboboxProps={{ withinPortal: false }}
    />
  );
}

/** The values of a filter in an address. */
export function valuesOf(value: string): readonly string[] {
  return value === '' ? [] : value.split(',');
}
