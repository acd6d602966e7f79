/** Renders events in columns: what happened, to which record, by whom. */
import { styleText } from 'node:util';
import { eventTypes } from '@trellis/schema/event-types.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';

/** Length of an id after its prefix: the underscore and 26 characters. */
const idSuffixLength = 27;

const typeWidth = Math.max(...eventTypes.map(({ type }) => type.length));
const subjectWidth = Math.max(...resources.map(({ idPrefix }) => idPrefix.length)) + idSuffixLength;
const versionWidth = 'v999'.length;
const actorWidth = 'user'.length + idSuffixLength;

/** An event (CloudEvents) as one line without a line feed: time, type, subject, version, actor, changed fields. */
export function renderEvent(event: Readonly<Record<string, unknown>>, hasColours: boolean): string {
  const data = isPlainObject(event.data) ? event.data : {};
  const actor = isPlainObject(data.actor) ? data.actor : {};
  const paint = (style: 'dim' | 'cyan', text: string) =>
    hasColours ? styleText(style, text, { validateStream: false }) : text;
  const fields = Array.isArray(data.changedFields) ? data.changedFields.join(', ') : '';
  return [
    paint('dim', String(event.time)),
    paint('cyan', String(event.type).padEnd(typeWidth)),
    String(event.subject).padEnd(subjectWidth),
    `v${data.version}`.padEnd(versionWidth),
    paint('dim', String(actor.user ?? actor.client ?? 'system').padEnd(actorWidth)),
    fields,
  ]
    .join('  ')
    .trimEnd();
}
