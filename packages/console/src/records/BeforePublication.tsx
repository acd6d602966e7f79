/** Notes in the dialog before a publication: those that the resource registers, and the pictures that readers would not see. */
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { Suspense } from 'react';
import type { ValueSchema } from '../fields/value-schema.ts';
import type { Values } from '../outbox/store/fields.ts';
import { targetOfReference } from '../resources/declared.ts';
import { type PublicationProps, presentationOf } from '../resources/presentation.ts';

interface Props extends Pick<PublicationProps, 'parentId' | 'refuse'> {
  readonly resource: Resource;
  readonly id: string;
  /** The record as it would be published. */
  readonly values: Values;
}

export function BeforePublication({ resource, parentId, id, values, refuse }: Props) {
  const Own = presentationOf(resource).beforePublication;
  return (
    <>
      {Own !== undefined && (
        <Suspense>
          <Own parentId={parentId} records={[{ ...values, id }]} refuse={refuse} />
        </Suspense>
      )}
      {flattenFields(resource).map(([name, { schema, reference }]) => {
        const target = targetOfReference(reference?.resource);
        const file = valueAt(values, name);
        const picture = target && presentationOf(target).picture;
        if (
          (schema as ValueSchema)['x-picture'] !== true ||
          picture === undefined ||
          typeof file !== 'string'
        )
          return null;
        return (
          <Suspense key={name}>
            <picture.BeforePublication id={file} />
          </Suspense>
        );
      })}
    </>
  );
}
