/** Models of resources from their declarations, and from the storage and rules that features add where a declaration does not suffice. */

import { checkRegistered } from '@trellis/schema/resources/check-declarations.ts';
import { resourceByName, resources } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { createModel, type Model, type Models, type Rules } from './model.ts';
import { createTableStorage, type Storage } from './storage.ts';

/** The parts of the resource with the declaration `D` that the declaration and its `RecordRules` cannot express. */
interface Additions<D extends Resource = Resource> {
  /** Storage other than a row and its side tables. */
  readonly storage?: Storage;
  /** Its rules; a function of the models of other resources when it changes their records as well. */
  readonly rules?: Rules<D> | ((modelNamed: (name: string) => Model) => Rules<D>);
}

/** What a feature adds to a resource, by its name. */
export type Extension = readonly [resource: string, additions: Additions];

/** Adds storage or rules to a resource. */
export function extend<D extends Resource>({ name }: D, additions: Additions<NoInfer<D>>): Extension {
  return [name, additions];
}

/** Makes the models of all resources. @throws Error for an extension of a resource that is not declared */
export function makeModels(extensions: readonly Extension[]): Models {
  const byResource = new Map(extensions);
  checkRegistered('packages/server/src/features.ts', [...byResource.keys()], resources);
  const made = new Map<string, Model>();
  const modelNamed = (name: string): Model => {
    const model = made.get(name) ?? makeModel(name, byResource.get(name) ?? {}, modelNamed);
    made.set(name, model);
    return model;
  };
  return new Map(resources.map(({ name }) => [name, modelNamed(name)]));
}

function makeModel(
  name: string,
  { storage, rules = {} }: Additions,
  modelNamed: (name: string) => Model,
): Model {
  const resource = resourceByName(name);
  return createModel(
    resource,
    storage ?? createTableStorage(resource),
    typeof rules === 'function' ? rules(modelNamed) : rules,
  );
}
