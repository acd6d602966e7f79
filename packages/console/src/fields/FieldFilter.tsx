/** The control of one filter of a list: a choice, a record by its title, a day, or a text. */
import { useRefusal } from '../session/missing-right.ts';
import { ChoiceFilter } from './kinds/choice.tsx';
import { FlagFilter } from './kinds/flag.tsx';
import { SinceFilter } from './kinds/instant.tsx';
import type { FilterProps } from './kinds/kind.ts';
import { RecordFilter, targetOfFilter } from './kinds/record.tsx';
import { TypedFilter } from './kinds/text.tsx';

export function FieldFilter(props: FilterProps) {
  const refusal = useRefusal();
  const target = targetOfFilter(props.resource, props.filter);
  // A user who may not read these records can still enter an id.
  if (target !== undefined && refusal(target, 'read') === null)
    return <RecordFilter {...props} target={target} />;
  switch (props.filter.kind) {
    case 'choice':
      return <ChoiceFilter {...props} />;
    case 'boolean':
    case 'present':
      return <FlagFilter {...props} />;
    case 'since':
    case 'bound':
      return <SinceFilter {...props} />;
    default:
      return <TypedFilter {...props} />;
  }
}
