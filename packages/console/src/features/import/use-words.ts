/** Words of the importer in the present language: places of rows and names of destinations. */
import { type Destination, importOf } from '@trellis/importer/destinations.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useIntl } from 'react-intl';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { texts } from './texts.ts';

/** A place such as `line 17`; the path of a file stays as it is. */
export function usePlace(): (place: string) => string {
  const featureText = useFeatureText(texts);
  return (place) => {
    const [, number] = /^line (\d+)$/.exec(place) ?? [];
    return number === undefined ? place : featureText('line', { number: Number(number) });
  };
}

/** What identifies the records of a resource: `Emails, or else by first name, last name, phones`. */
export function useIdentity(): (resource: Resource) => string {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { formatList } = useIntl();
  return (resource) => {
    const sets = importOf(resource).identity ?? [[resource.titleField]];
    return sets
      .map((set) => formatList(set.map((name) => names.field(name))))
      .reduce((first, second) => featureText('otherwise', { first, second }));
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
