/** A saved view as the API has it, and the state of a list that it stands for. */
import { filtersOf } from '@trellis/schema/resources/filters.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { readColumn } from '@trellis/schema/resources/view-columns.ts';
import type { ApiRecord } from '../../api/api.ts';
import { resourceByName } from '../../resources/declared.ts';
import { sortsOf } from '../columns/sorts.ts';
import { columnsOf, parametersOf, readView, type View } from '../view.ts';

export interface SavedView extends ApiRecord {
  readonly name: string;
  /** Name of the resource whose list it is. */
  readonly resource: string;
  /** Query string of the list. */
  readonly query: string;
  readonly columns: readonly string[];
  readonly layout: 'TABLE' | 'GALLERY';
  readonly shared: boolean;
  readonly ownerUserId: string;
}

/** The resource of the saved views themselves. */
export const savedViews = resourceByName('views');

/** The state of the list in a saved view, and the names in it that the list no longer has. */
export function readSavedView(
  resource: Resource,
  { id, query, columns, layout }: SavedView,
): { readonly view: View; readonly dropped: readonly string[] } {
  const parameters = [...new URLSearchParams(query)];
  const kept = parameters.filter(([name, value]) => isKnown(resource, name, value));
  const known = columnsOf(resource);
  const isShown = (written: string) => known.includes(readColumn(written).name);
  const shown = columns.filter(isShown);
  const view = readView(resource, {
    ...Object.fromEntries(kept),
    columns: shown.join(','),
    layout: layout.toLowerCase(),
    view: id,
  });
  const dropped = [
    ...parameters.filter((parameter) => !kept.includes(parameter)).map(([name]) => name),
    ...columns.filter((written) => !isShown(written)),
  ];
  return { view, dropped };
}

/** The body of a saved view for the state of a list. Columns that are shown by default are not named. */
export function contentsOf(resource: Resource, view: View): Pick<SavedView, 'query' | 'columns' | 'layout'> {
  const { columns, layout, view: _id, ...parameters } = parametersOf(resource, view);
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given);
  query.sort();
  return {
    query: query.toString(),
    columns: columns?.split(',') ?? [],
    layout: layout === 'gallery' ? 'GALLERY' : 'TABLE',
  };
}

/** Whether two states of a list are equivalent. */
export function isSameView(resource: Resource, one: View, other: View): boolean {
  return JSON.stringify(contentsOf(resource, one)) === JSON.stringify(contentsOf(resource, other));
}

/** Whether the list has a parameter, and accepts the value if its values are a fixed list. */
function isKnown(resource: Resource, name: string, value: string): boolean {
  if (name === 'search') return true;
  if (name === 'sort') return sortsOf(resource).some(({ orders }) => orders.includes(value));
  const filter = Object.hasOwn(filtersOf(resource), name) ? filtersOf(resource)[name] : undefined;
  if (filter === undefined) return false;
  return filter.kind !== 'choice' || value.split(',').every((one) => (filter.values ?? []).includes(one));
}
