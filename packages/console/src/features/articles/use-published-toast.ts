/** Says that an article was published, why that has no undo, and where it can be read. */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ApiRecord } from '../../api/api.ts';
import { recordPathOf } from '../../resources/places.ts';
import { useFeatureText } from '../../text/feature.ts';
import { copyText } from '../../ui/copy-text.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import { useSite } from './SearchPreview.tsx';
import { texts } from './texts.ts';

/** The site's domain leads to the site: only the site knows where a page of it is. The API has the article itself. */
export function usePublishedToast(resource: Resource, parentId: string | null): (record: ApiRecord) => void {
  const featureText = useFeatureText(texts);
  const site = useSite(parentId);
  const copy = (address: string) =>
    copyText(address, {
      done: featureText('addressCopied'),
      failed: featureText('addressToCopy', { address }),
    });
  return (record) => {
    const path = `/v1${recordPathOf(resource, parentId, record.id)}`;
    const address = `${location.origin}${path}?perspective=published`;
    const domain = Array.isArray(site?.domains) ? site.domains[0] : undefined;
    showToast({
      kind: 'done',
      message: featureText('published'),
      ...(typeof domain === 'string' ? { link: { label: domain, href: `https://${domain}/` } } : {}),
      action: { label: featureText('copyAddress'), run: () => void copy(address) },
    });
  };
}
