/**
 * Where resources and records are in the console. The path of a page is the path of the API without `/v1`, so whoever knows one
 * knows the other: `/console/crm/contacts/con_…`.
 */

import { goesToTrash, hasOperation, type Resource } from '@trellis/schema/resources/resource.ts';
import { resources } from './declared.ts';

/** Stands in a path for the parent that is still to be chosen. */
export const anyParent = '-';

/** What a path shows: the records of a resource, one of them, or a new one. */
export interface Place {
  readonly resource: Resource;
  /** Id of the parent, `anyParent`, or null for a resource without one. */
  readonly parentId: string | null;
  /** Null: the list. `new`: a record that is not created yet. */
  readonly recordId: string | null;
}

/** The place of a path below `/console`; null when there is none, as for a resource without a list. */
export function findPlace(path: string): Place | null {
  const parts = path.split('/').filter((part) => part !== '');
  for (const resource of resources) {
    if (!hasOperation(resource, 'list')) continue;
    const pattern = resource.path.split('/').filter((part) => part !== '');
    if (parts.length !== pattern.length && parts.length !== pattern.length + 1) continue;
    const parameter = pattern.findIndex((part) => part.startsWith('{'));
    if (!pattern.every((part, index) => index === parameter || part === parts[index])) continue;
    return {
      resource,
      parentId: parameter === -1 ? null : (parts[parameter] ?? null),
      recordId: parts[pattern.length] ?? null,
    };
  }
  return null;
}

/** The place of a path that leaves out the parent, as somebody types it: `articles`. */
export function findShortPlace(path: string): Place | null {
  const [name, recordId = null, ...rest] = path.split('/').filter((part) => part !== '');
  const resource = resources.find((one) => one.name === name && one.parent !== null);
  return resource === undefined || rest.length > 0 ? null : { resource, parentId: anyParent, recordId };
}

/** The place that a request of the API is about: for an action such as `…/versions/3/restore`, the record that it belongs to. */
export function placeOfRequest(path: string): Place | null {
  const parts = path.replace(/^\/v1\//, '').split('/');
  const starts = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
  return starts.map(findPlace).find((place) => place !== null) ?? null;
}

/** Whether a request changes rights, or concerns something that is not a known resource. */
export function givesAccess(path: string): boolean {
  const place = placeOfRequest(path);
  return place === null || place.resource.givesAccess === true;
}

/** The path of a collection, below `/console` and below `/v1`. */
export function collectionPath({ path, parent }: Resource, parentId: string | null): string {
  return parent === null ? path : path.replace(`{${parent.parameter}}`, parentId ?? anyParent);
}

/** The path of a record, below `/console` and below `/v1`. */
export function recordPathOf(resource: Resource, parentId: string | null, recordId: string): string {
  return `${collectionPath(resource, parentId)}/${recordId}`;
}

/** The parent that a record belongs to; null without one. */
export function parentIdOf({ parent }: Resource, record: Readonly<Record<string, unknown>>): string | null {
  const id = parent === null ? null : record[parent.parameter];
  return typeof id === 'string' ? id : null;
}

const lastParentKey = (resource: string) => `trellis.parent.${resource}`;

/** The parent that was worked with last, such as the site. */
export function readLastParent(parentResource: string): string | null {
  return (
    sessionStorage.getItem(lastParentKey(parentResource)) ??
    localStorage.getItem(lastParentKey(parentResource))
  );
}

export function noteParent(parentResource: string, id: string): void {
  sessionStorage.setItem(lastParentKey(parentResource), id);
  localStorage.setItem(lastParentKey(parentResource), id);
}

/** The path below `/v1` of the request that restores the deleted record at a path (`/v1/books/…`); null when its resource has no trash. */
export function restoringPath(path: string): string | null {
  const place = findPlace(path.replace(/^\/v1/, ''));
  if (place === null || place.recordId === null || !goesToTrash(place.resource)) return null;
  return `/v1/trash/${place.recordId}/restore`;
}
