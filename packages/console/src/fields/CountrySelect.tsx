/** The choice of a country by any of its names. */
import { readCountry } from '@trellis/schema/values/country.ts';
import { type ComponentProps, useMemo } from 'react';
import { useIntl } from 'react-intl';
import { findCountries, listCountries } from './countries.ts';
import { OptionSelect } from './OptionSelect.tsx';

/** A record may be of another release, with a code that this one does not know. */
export function CountrySelect(props: Omit<ComponentProps<typeof OptionSelect>, 'options'>) {
  const { locale } = useIntl();
  const options = useMemo(() => listCountries(locale), [locale]);
  return <OptionSelect {...props} options={options} find={findCountries} read={readCountry} />;
}
