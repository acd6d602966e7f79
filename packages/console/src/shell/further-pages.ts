/** Pages of a resource beside its list. They are open to whoever may read its records. */
import { articles } from '@trellis/schema/resources/articles.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { TextId } from '../text/text.ts';
import type { IconName } from '../ui/icons.tsx';

interface FurtherPage {
  readonly resource: Resource;
  readonly to: string;
  readonly icon: IconName;
  readonly title: TextId;
}

export const furtherPages: readonly FurtherPage[] = [
  { resource: articles, to: '/calendar', icon: 'calendar', title: 'calendar.title' },
  { resource: knowledgeFiles, to: '/pictures', icon: 'image', title: 'pictures.title' },
];
