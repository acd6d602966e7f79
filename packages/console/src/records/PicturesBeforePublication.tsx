/** Which pictures of a record readers would not see, in the question whether to publish it. */
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { Suspense } from 'react';
import type { ValueSchema } from '../fields/value-schema.ts';
import type { Values } from '../outbox/store/fields.ts';
import { targetOfReference } from '../resources/declared.ts';
import { presentationOf } from '../resources/presentation.ts';
import { valueAt } from '../resources/values.ts';

interface Props {
  readonly resource: Resource;
  /** The record as it would be published. */
  readonly values: Values;
}

export function PicturesBeforePublication({ resource, values }: Props) {
  return flattenFields(resource).map(([name, { schema, reference }]) => {
    const target = targetOfReference(reference?.resource);
    const id = valueAt(values, name);
    const picture = target && presentationOf(target).picture;
    if ((schema as ValueSchema)['x-picture'] !== true || picture === undefined || typeof id !== 'string')
      return null;
    return (
      <Suspense key={name}>
        <picture.BeforePublication id={id} />
      </Suspense>
    );
  });
}
