/** How a search engine may show an article. */

import { useQuery } from '@tanstack/react-query';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { resourceByName } from '../../resources/declared.ts';
import { readRecord, recordKeys } from '../../resources/queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import shared from '../../ui/shared.module.css';
import styles from './ArticleEditor.module.css';
import { texts } from './texts.ts';
import type { ArticleEditing } from './use-article.ts';

/** Characters after which search engines cut off, roughly. */
const [mostTitle, mostDescription] = [60, 160];

/** The site of an article; undefined while it is read. */
export function useSite(parentId: string | null) {
  const { api } = useWorkspace();
  const sites = resourceByName('sites');
  const site = useQuery({
    queryKey: recordKeys.record(sites, parentId ?? ''),
    queryFn: ({ signal }) => readRecord(api, sites, null, parentId ?? '', signal),
    enabled: parentId !== null,
    staleTime: 60_000,
  });
  return site.data;
}

interface Props {
  readonly article: ArticleEditing;
  readonly parentId: string | null;
}

export function SearchPreview({ article: { record, draft }, parentId }: Props) {
  const featureText = useFeatureText(texts);
  const site = useSite(parentId);
  const read = (name: string) => (Object.hasOwn(draft, name) ? draft[name] : valueAt(record, name));
  const given = read('versionData.seo');
  const seo = isPlainObject(given) ? given : {};
  const first = (...values: readonly unknown[]) =>
    values.find((value) => typeof value === 'string' && value.trim() !== '') as string | undefined;
  const title = first(seo.title, read('versionData.title')) ?? featureText('untitled');
  const description = first(seo.description, read('versionData.summary'));
  const domains = site?.domains;
  const host = first(Array.isArray(domains) ? domains[0] : undefined, site?.key) ?? '';
  return (
    <figure
      className={`${shared.box} ${shared.tight} ${styles.result}`}
      aria-label={featureText('seoPreview')}
    >
      <span className={shared.small}>
        {host} › {String(read('articleData.slug') ?? '')}
      </span>
      <span className={styles.resultTitle}>{cut(title, mostTitle)}</span>
      <span className={shared.about}>
        {seo.noIndex === true
          ? featureText('noIndexShown')
          : description === undefined
            ? featureText('noDescription')
            : cut(description, mostDescription)}
      </span>
    </figure>
  );
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
