/** Sentences that explain missing rights, from the function by which the server decides. */
import type { Action } from '@trellis/schema/resources/grants.ts';
import { hasOperation, type Resource, type SharedOperation } from '@trellis/schema/resources/resource.ts';
import {
  checkRight,
  type MissingRight,
  type NeededRight,
  rightFor,
} from '@trellis/schema/rights/check-right.ts';
import { useNames } from '../text/names.ts';
import { type TextOf, useText } from '../text/text.ts';
import { useWorkspace } from './workspace.ts';

/** Why an action on the records of a resource is refused; null when it is not. */
export function useRefusal(): (resource: Resource, action: Action) => string | null {
  const text = useText();
  const refusalOf = useRightRefusal();
  return (resource, action) => {
    if (!isOffered(resource, action)) return text('missing.operation');
    return refusalOf(rightFor(resource, action));
  };
}

/** Why a right is missing for something other than an action on records; null when it is not. */
export function useRightRefusal(): (needed: NeededRight) => string | null {
  const { rights, viewedRole } = useWorkspace();
  const text = useText();
  const role = useRoleName();
  return (needed) => {
    const found = checkRight(rights, needed);
    if (typeof found !== 'string') return describe(found, role, text);
    const isWrite = needed.permission !== null && needed.permission.action !== 'read';
    return viewedRole !== null && isWrite ? text('missing.viewed', { role }) : null;
  };
}

/** What one's role is called. The built-in ones have a name in each language. */
export function useRoleName(): string {
  const { key, name, builtIn } = useWorkspace().me.role;
  const names = useNames();
  return builtIn ? names.value(key) : name;
}

/** What reading the log of events requires. */
export const readingEvents: NeededRight = {
  scopes: ['events:read'],
  module: null,
  permission: { resource: 'events', action: 'read' },
};

/** What looking up visitors requires. */
export const readingVisitors: NeededRight = {
  scopes: ['visitors:read'],
  module: 'visitors',
  permission: { resource: 'visitors', action: 'read' },
};

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

/** The operation that an action on records is done by. */
const operations: Readonly<Partial<Record<Action, SharedOperation>>> = {
  read: 'list',
  create: 'create',
  update: 'update',
  delete: 'delete',
};

/** Whether a resource has the operation of an action at all. */
export function isOffered(resource: Resource, action: Action): boolean {
  const operation = operations[action];
  if (operation === undefined) return true;
  return hasOperation(resource, operation) || (resource.ownOperations?.includes(operation) ?? false);
}
