/** Sentences about what somebody may not do, from the function that the server decides by. */
import type { Action } from '@trellis/schema/resources/grants.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { checkRight, type MissingRight, rightFor } from '@trellis/schema/rights/check-right.ts';
import { useWorkspace } from '../app/workspace.ts';
import { useNames } from '../text/names.ts';
import { type TextOf, useText } from '../text/text.ts';

/** Why an action on the records of a resource is refused; null when it is not. */
export function useRefusal(): (resource: Resource, action: Action) => string | null {
  const { rights, organization } = useWorkspace();
  const text = useText();
  const names = useNames();
  return (resource, action) => {
    const found = checkRight(rights, rightFor(resource, action));
    return typeof found === 'string' ? null : describe(found, names.value(organization.role), text);
  };
}

function describe(missing: MissingRight, role: string, text: TextOf): string {
  switch (missing.code) {
    case 'insufficient_scope':
      return text('missing.scope', { scopes: missing.scopes.join(' ') });
    case 'module_disabled':
      return text('missing.module', { module: text(`module.${missing.module}`) });
    case 'insufficient_user_authentication':
      return text('missing.recent');
    case 'permission_denied':
      return text(`missing.${missing.action}`, { role });
  }
}
