/**
 * The model of what an insider may do: the roles of the test with their rights, and the standing of a caller. It is written from
 * `docs/decisions/0083-what-one-may-over-others.md` and the decisions that it names, and knows nothing of the server's code.
 */

/** `resource:action`, followed by `:own` where it holds for one's own records only. `other:…` stands for all resources that no detour is about. */
export type Right = string;

const rightsOn = (resource: string, ...actions: string[]): Right[] =>
  actions.map((action) => `${resource}:${action}`);
const writing = ['create', 'update', 'delete'];
const viewer: Right[] = [
  ...['other', 'contacts', 'articles', 'members', 'views'].map((resource) => `${resource}:read`),
  ...rightsOn('views', 'create', 'update:own', 'delete:own'),
];
const author: Right[] = [...viewer, ...rightsOn('articles', 'create', 'update:own', 'delete:own')];
const editor: Right[] = [
  ...author,
  'other:write',
  ...['contacts', 'articles'].flatMap((resource) => rightsOn(resource, ...writing)),
  ...rightsOn('articles', 'publish'),
  ...rightsOn('views', 'publish'),
];
/** The resources by which people manage people. */
const managed = ['members', 'roles', 'clients', 'tokens'];
const managing: Right[] = [
  ...managed.flatMap((resource) => rightsOn(resource, 'read', ...writing)),
  ...rightsOn('invitations', 'read', 'create', 'delete'),
];
const admin: Right[] = [
  ...editor,
  ...managing,
  ...rightsOn('views', 'update', 'delete'),
  ...rightsOn('webhook-endpoints', 'read', ...writing, 'publish'),
];

/** A role with one right: it may read what it may change. */
const single = (right: Right): [string, Right[]] => [
  right.replaceAll(':', '-'),
  [...new Set([`${right.split(':')[0]}:read`, right])],
];

/** Every role of the test, built in or made by the organization, by its key. */
export const rightsOfRole: ReadonlyMap<string, readonly Right[]> = new Map<string, readonly Right[]>([
  ['OWNER', [...admin, ...rightsOn('organizations', 'read', 'update')]],
  ['ADMIN', admin],
  ['EDITOR', editor],
  ['AUTHOR', author],
  ['VIEWER', viewer],
  ['nothing', []],
  ...managing.filter((right) => !right.endsWith(':read')).map(single),
  ...rightsOn('views', 'create', 'update', 'update:own', 'delete', 'publish').map(single),
  ...rightsOn('contacts', ...writing).map(single),
  ...rightsOn('articles', 'update', 'update:own').map(single),
  single('organizations:update'),
  // Rights that open something only together.
  ['programs', rightsOn('members', 'read', 'update').concat(rightsOn('tokens', 'read', 'create'))],
  [
    'ending',
    [
      ...rightsOn('clients', 'read', 'update'),
      ...rightsOn('tokens', 'read', 'delete'),
      ...rightsOn('members', 'read', 'delete'),
    ],
  ],
  ['sharing', ['contacts:read', ...rightsOn('views', 'read', 'create', 'update', 'delete', 'publish')]],
  ['managing', managing],
]);

export const builtIn: readonly string[] = ['OWNER', 'ADMIN', 'EDITOR', 'AUTHOR', 'VIEWER'];

export function rightsOf(role: string): readonly Right[] {
  const rights = rightsOfRole.get(role);
  if (rights === undefined) throw new Error(`there is no role ${role}`);
  return rights;
}

/** The rights of a role that an organization can make with those of another one: none over webhook endpoints, and `other` has no name. */
export function ownCopy(rights: readonly Right[]): readonly Right[] {
  return rights.filter((right) => !/^(?:webhook-endpoints|other):/.test(right));
}

/** Rights as the API takes them. */
export function toGrants(rights: readonly Right[]): object[] {
  const all = [...new Set(rights)].filter(
    (right) => !(right.endsWith(':own') && rights.includes(right.slice(0, -4))),
  );
  return all.map((right) => {
    const [resource, action, own] = right.split(':');
    return { resource, action, ...(own === undefined ? {} : { own: true }) };
  });
}

/** What a caller is when a request is decided. */
export interface Standing {
  /** Active here and everywhere, in an active organization. */
  readonly isMember: boolean;
  /** Whether what the caller presents is accepted as long as the caller is a member. */
  readonly isPresentable: boolean;
  readonly rights: readonly Right[];
  /** Whether the role is one that no organization changes. */
  readonly isBuiltIn: boolean;
  readonly isProgram: boolean;
  readonly hasCrm: boolean;
}

/** Whether the standing has each of the rights, and the request gets as far as that. */
export function has({ isMember, isPresentable, rights }: Standing, ...wanted: Right[]): boolean {
  return isMember && isPresentable && wanted.every((right) => rights.includes(right));
}

/** Whether one has all rights of somebody. What one may with all records, one may with one's own. */
export function covers({ rights }: Standing, others: readonly Right[]): boolean {
  return others.every((right) => rights.includes(right) || rights.includes(right.replace(/:own$/, '')));
}
