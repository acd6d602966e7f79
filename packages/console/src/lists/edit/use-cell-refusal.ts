/** Which cells of a list can be edited where they are. */
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import type { ApiRecord } from '../../api/api.ts';
import { editableFields } from '../../fields/draft.ts';
import { useFieldRefusal } from '../../records/edit/use-field-refusal.ts';
import { presentationOf } from '../../resources/presentation.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { texts } from './texts.ts';

/** Gives a function that says why a cell cannot be edited; null: it can. */
export function useCellRefusal(resource: Resource): (column: string, record: ApiRecord) => string | null {
  const refusal = useFieldRefusal(resource);
  const names = useNames();
  const featureText = useFeatureText(texts);
  // The status of a version has transitions that only its page explains; changing rights needs a fresh sign-in.
  const status = resource.versions === undefined ? undefined : statusOf(resource)?.field;
  const editable = new Set(resource.givesAccess ? [] : editableFields(resource).map(([name]) => name));
  const { mayChangeInList = () => true } = presentationOf(resource);
  return (column, record) => {
    if (!editable.has(column)) return featureText('fixed', { field: names.field(column) });
    const missing = refusal(column, record);
    if (missing !== null) return missing;
    if (column === status || !mayChangeInList(column, record))
      return featureText('onPage', { field: names.field(column) });
    return null;
  };
}
