/** Sizes as people read them. */
import { useIntl } from 'react-intl';

const kilobyte = 1_000;

/** A size in kB or MB. */
export function useSize(): (bytes: number) => string {
  const { formatNumber } = useIntl();
  return (bytes) => {
    const isLarge = bytes >= kilobyte ** 2;
    const value = bytes / (isLarge ? kilobyte ** 2 : kilobyte);
    const unit = isLarge ? 'megabyte' : 'kilobyte';
    return formatNumber(value, { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 });
  };
}
