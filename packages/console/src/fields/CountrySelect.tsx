/** The choice of a country by any of its names. */
import { type ComboboxData, Select, type SelectProps } from '@mantine/core';
import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import { type CountryOption, findCountries, listCountries } from './countries.ts';

export function CountrySelect(props: Omit<SelectProps, 'data' | 'filter' | 'searchable'>) {
  const { locale } = useIntl();
  const countries = useMemo(() => listCountries(locale), [locale]);
  // A record may be of another release, with a code that this one does not know.
  const isKnown = typeof props.value !== 'string' || countries.some(({ value }) => value === props.value);
  const data: ComboboxData = isKnown
    ? countries
    : [...countries, { value: String(props.value), label: String(props.value) }];
  return (
    <Select
      {...props}
      searchable
      data={data}
      filter={({ options, search }) => [...findCountries(options as readonly CountryOption[], search)]}
    />
  );
}
