/** The control of a filter by equality, or by a part of a text: choices, records by their titles, languages, yes or no, or a typed text. */
import { targetOfFilter } from '@trellis/schema/resources/places.ts';
import { targetOfReference } from '../resources/declared.ts';
import { useRefusal } from '../session/missing-right.ts';
import { ChoiceFilter } from './kinds/choice.tsx';
import { LanguageFilter } from './kinds/code.tsx';
import { FlagFilter } from './kinds/flag.tsx';
import type { FilterProps } from './kinds/kind.ts';
import { RecordFilter } from './kinds/record.tsx';
import { TypedFilter } from './kinds/text.tsx';

export function FieldFilter(props: FilterProps) {
  const refusal = useRefusal();
  const { resource, filter } = props;
  const target = targetOfReference(targetOfFilter(resource, filter) ?? undefined);
  // A user who may not read these records can still enter an id.
  if (target !== undefined && refusal(target, 'read') === null)
    return <RecordFilter {...props} target={target} />;
  if (filter.kind === 'choice') return <ChoiceFilter {...props} />;
  if (filter.kind === 'boolean' || filter.kind === 'exists') return <FlagFilter {...props} />;
  if (filter.kind === 'text' && filter.format === 'locale') return <LanguageFilter {...props} />;
  return <TypedFilter {...props} placeholder={filter.example} />;
}
