/** Instants on the clock of a site, which its schedules are on; its zone is named where it is not one's own. */
import { ownZone } from '@trellis/schema/values/zones.ts';
import { useIntl } from 'react-intl';
import { useSite } from './SearchPreview.tsx';

/** @param siteId null while nothing is shown, which reads nothing */
export function useSiteTime(siteId: string | null): (instant: string) => string {
  const site = useSite(siteId);
  const { formatDate } = useIntl();
  const own = ownZone();
  const zone = typeof site?.timezone === 'string' ? site.timezone : own;
  return (instant) => {
    const shown = formatDate(instant, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
    return zone === own ? shown : `${shown} (${zone})`;
  };
}
