/** The title of the page of a new record. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useRecordTitle } from '../fields/ReferenceName.tsx';
import { resourceByName } from '../resources/declared.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { texts } from './texts.ts';

/** The kind of the record, followed by the title of its parent once it is loaded, such as the magazine of an issue. */
export function useNewTitle(resource: Resource, parentId: string | null): string {
  const text = useText();
  const ownText = useFeatureText(texts);
  const names = useNames();
  const parent = resource.parent === null ? resource : resourceByName(resource.parent.resource);
  const title = useRecordTitle(parent, null, parentId);
  const name = names.noun(resource);
  return title === null ? text('record.new', { name }) : ownText('newOf', { name, parent: title });
}
