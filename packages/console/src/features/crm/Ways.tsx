/** Contact details: e-mail addresses, websites, phone numbers and postal addresses, each with its action. */
import type { Contact } from '@trellis/client/generated/types.ts';
import { useIntl } from 'react-intl';
import { useFeatureText } from '../../text/feature.ts';
import shared from '../../ui/shared.module.css';
import styles from './ReadingPage.module.css';
import { Section } from './ReadingPage.tsx';
import { texts } from './texts.ts';

interface Props extends Pick<Contact, 'phones' | 'addresses'> {
  readonly emails?: Contact['emails'];
  /** Null: none. */
  readonly websiteUrl?: string | null;
  /** The text shown without any contact details. */
  readonly none: string;
}

export function Ways({ emails = [], websiteUrl = null, phones, addresses, none }: Props) {
  const featureText = useFeatureText(texts);
  const { formatDisplayName } = useIntl();
  const isEmpty = emails.length + phones.length + addresses.length === 0 && websiteUrl === null;
  const noteOf = (label: string | null, isPrimary: boolean) =>
    joined([label, isPrimary ? featureText('primary') : null], ' · ');
  return (
    <Section title={featureText('reach')}>
      {isEmpty && <p className={shared.about}>{none}</p>}
      <ul className={styles.list}>
        {emails.map(({ address, label, isPrimary }) => (
          <li key={address}>
            <a href={`mailto:${address}`} className={shared.link}>
              {address}
            </a>
            <span className={shared.about}>{noteOf(label, isPrimary)}</span>
          </li>
        ))}
        {websiteUrl !== null && (
          <li>
            <a href={websiteUrl} target="_blank" rel="noreferrer" className={shared.link}>
              {websiteUrl}
            </a>
          </li>
        )}
        {phones.map(({ number, e164, label, isPrimary }) => (
          <li key={number}>
            <a href={`tel:${e164 ?? number.replaceAll(/[^\d+*#]/g, '')}`} className={shared.link}>
              {number}
            </a>
            <span className={shared.about}>{noteOf(label, isPrimary)}</span>
          </li>
        ))}
        {addresses.map(({ street, postalCode, city, region, country }, index) => (
          <li key={index}>
            {joined(
              [
                street,
                joined([postalCode, city], ' '),
                region,
                country === null ? null : (formatDisplayName(country, { type: 'region' }) ?? country),
              ],
              ', ',
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Joins the parts that are not null. @param between separates them */
export function joined(parts: readonly (string | null)[], between: string): string {
  return parts.filter((part) => part !== null && part !== '').join(between);
}
