/** Whether lists can be opened from a menu, where no parent is chosen yet. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useRefusal, useRoleName } from '../session/missing-right.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { resourceByName } from './declared.ts';

/** Why the list of a resource cannot be opened without a parent: one of those is chosen first. Null when it can. */
export function useListRefusal(): (resource: Resource) => string | null {
  const text = useText();
  const names = useNames();
  const role = useRoleName();
  const refusal = useRefusal();
  return (resource) => {
    const refused = refusal(resource, 'read');
    if (refused !== null || resource.parent === null) return refused;
    const parent = resourceByName(resource.parent.resource);
    if (refusal(parent, 'read') === null) return null;
    return text('missing.parent', { role, parent: names.plural(parent) });
  };
}
