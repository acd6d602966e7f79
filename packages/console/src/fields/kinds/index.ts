/** The kinds of fields. The first that matches a schema is its kind. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ValueSchema } from '../value-schema.ts';
import { choice } from './choice.tsx';
import { currency, language } from './code.tsx';
import { country } from './country.tsx';
import { flag } from './flag.tsx';
import { instant } from './instant.tsx';
import type { Kind } from './kind.ts';
import { number } from './number.tsx';
import { object, objects } from './objects.tsx';
import { picture } from './picture.tsx';
import { record } from './record.tsx';
import { records } from './records.tsx';
import { longText, text, timeZone } from './text.tsx';
import { texts } from './texts.tsx';
import { amount, partialDate } from './written.tsx';

const kinds: readonly Kind[] = [
  records,
  objects,
  texts,
  picture,
  record,
  object,
  flag,
  number,
  choice,
  instant,
  timeZone,
  country,
  currency,
  language,
  amount,
  partialDate,
  longText,
  text,
];

/** @param target the resource whose ids the value is */
export function kindOf(schema: ValueSchema, target: Resource | undefined): Kind {
  return kinds.find(({ matches }) => matches(schema, target)) ?? text;
}
