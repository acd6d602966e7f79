/** A currency or a language, shown and chosen by its name. */
import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import { OptionSelect } from '../OptionSelect.tsx';
import { SeveralFilter, valuesOf } from '../SeveralFilter.tsx';
import { listCurrencies, listLanguages, readLanguage } from '../written.ts';
import {
  type CellProps,
  type FilterProps,
  type InputProps,
  type Kind,
  textOf,
  useInputProps,
} from './kind.ts';

function useSelectProps(props: InputProps) {
  const { text } = textOf(props);
  return {
    ...useInputProps(props),
    clearable: props.isNullable,
    value: text === '' ? null : text,
    onChange: (next: string | null) => props.onChange(next ?? props.emptyValue),
  };
}

function CurrencyInput(props: InputProps) {
  const { locale } = useIntl();
  const options = useMemo(() => listCurrencies(locale), [locale]);
  return <OptionSelect {...useSelectProps(props)} options={options} />;
}

function CurrencyCell({ value }: CellProps) {
  return <>{String(value)}</>;
}

export const currency: Kind = {
  matches: ({ format }) => format === 'currency',
  Cell: CurrencyCell,
  Input: CurrencyInput,
};

function LanguageInput(props: InputProps) {
  const { locale } = useIntl();
  const options = useMemo(() => listLanguages(locale), [locale]);
  const names = useMemo(() => new Intl.DisplayNames([locale], { type: 'language' }), [locale]);
  return (
    <OptionSelect
      {...useSelectProps(props)}
      options={options}
      read={readLanguage}
      nameOf={(tag) => names.of(tag) ?? tag}
    />
  );
}

function LanguageCell({ value }: CellProps) {
  const { formatDisplayName } = useIntl();
  return <>{formatDisplayName(String(value), { type: 'language' }) ?? String(value)}</>;
}

export const language: Kind = {
  matches: ({ format }) => format === 'locale',
  Cell: LanguageCell,
  Input: LanguageInput,
};

export function LanguageFilter(props: FilterProps) {
  const { locale } = useIntl();
  const options = useMemo(() => {
    const names = new Intl.DisplayNames([locale], { type: 'language' });
    const known = listLanguages(locale);
    // An address may have a language of a country, such as en-GB.
    const others = valuesOf(props.value).filter((value) => known.every((option) => option.value !== value));
    return [...known, ...others.map((value) => ({ value, label: names.of(value) ?? value }))];
  }, [locale, props.value]);
  return <SeveralFilter {...props} data={options} />;
}
