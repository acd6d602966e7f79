/** Words of the importer in the present language: places of rows and names of destinations. */
import type { Destination } from '@trellis/importer/destinations.ts';
import { useIntl } from 'react-intl';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { texts } from './texts.ts';

/** A place such as `line 17`, `post 3` or `tag news`; the path of a file stays as it is. */
export function usePlace(): (place: string) => string {
  const featureText = useFeatureText(texts);
  return (place) => {
    const [, kind, name] =
      /^(line|row|item|product|post|page|category|tag) ([\p{L}\p{N}-]+)$/u.exec(place) ?? [];
    return kind === undefined || name === undefined ? place : featureText('place', { kind, name });
  };
}

/** What a record is found by, as a report says it: `First name, last name, phones`. */
export function useFoundBy(): (by: string) => string {
  const names = useNames();
  const { formatList } = useIntl();
  return (by) => {
    const sentence = names.sentence(by);
    if (sentence !== by || by.includes('file') || by.includes('row')) return sentence;
    return formatList(by.split(', ').map((name) => names.field(name)));
  };
}

/** A reason such as `emails.0.address: Must be …`, with the names that fields have on pages. */
export function useReason(): (reason: string) => string {
  const names = useNames();
  return (reason) => {
    const [all = '', path = ''] = /^([a-z]\w*(?:\.\w+)*): /.exec(reason) ?? [];
    const parts = path.split('.').filter((part) => part !== '' && !/^\d+$/.test(part));
    const sentence = names.sentence(reason.slice(all.length));
    if (parts.length === 0) return names.sentence(reason);
    return `${parts.map((part) => names.field(part)).join(': ')}: ${sentence}`;
  };
}

/** The name of a destination: `Emails: address`, `First name`. */
export function useDestinationName(): (destination: Pick<Destination, 'field' | 'member'>) => string {
  const names = useNames();
  return ({ field, member }) =>
    member === null ? names.field(field) : `${names.field(field)}: ${names.field(member)}`;
}
