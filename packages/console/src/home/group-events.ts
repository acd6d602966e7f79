/** Events joined to what people did: a line for each piece of work instead of one for each request. */
import type { Event } from '@trellis/client/generated/types.ts';
import { actionOf } from '../events/subject.tsx';

/** What one person did with one record, or with several of a kind. */
export interface Work {
  /** The newest event, which stands for all. */
  readonly event: Event;
  /** When the work began. */
  readonly began: string;
  /** What was done, the newest first, each once. */
  readonly actions: readonly string[];
  /** Ids of the records. */
  readonly subjects: readonly string[];
}

/** Time between two changes of the same work, in ms. */
const pauseMs = 30 * 60_000;
/** Records of a kind from which on they are one line. */
const manyRecords = 4;

/** Joins events. @param events the newest first */
export function groupEvents(events: readonly Event[]): readonly Work[] {
  return joinKinds(joinRecords(events));
}

/** One piece of work for the changes of a record by one person, as long as no pause is longer than half an hour. */
function joinRecords(events: readonly Event[]): readonly Work[] {
  const works: Work[] = [];
  for (const event of events) {
    const index = works.findLastIndex(
      (work) => work.event.subject === event.subject && isSamePerson(work.event, event),
    );
    const known = works[index];
    if (known !== undefined && Date.parse(known.began) - Date.parse(event.time) <= pauseMs) {
      const actions = [...new Set([...known.actions, actionOf(event)])];
      works[index] = { ...known, began: event.time, actions };
    } else works.push({ event, began: event.time, actions: [actionOf(event)], subjects: [event.subject] });
  }
  return works;
}

/** One piece of work for many records of a kind that one person worked on, one after the other. */
function joinKinds(works: readonly Work[]): readonly Work[] {
  const runs: Work[][] = [];
  for (const work of works) {
    const run = runs.at(-1);
    const first = run?.[0];
    if (run !== undefined && first !== undefined && isSameKind(first, work)) run.push(work);
    else runs.push([work]);
  }
  return runs.flatMap((run): readonly Work[] => {
    const [first] = run;
    if (first === undefined || run.length < manyRecords) return run;
    return [
      {
        ...first,
        began: run.at(-1)?.began ?? first.began,
        actions: [...new Set(run.flatMap(({ actions }) => actions))],
        subjects: [...new Set(run.flatMap(({ subjects }) => subjects))],
      },
    ];
  });
}

function isSamePerson(one: Event, other: Event): boolean {
  return one.data.actor.user === other.data.actor.user;
}

function isSameKind(one: Work, other: Work): boolean {
  const kindOf = ({ event }: Work) => event.type.slice(0, event.type.lastIndexOf('.'));
  return kindOf(one) === kindOf(other) && isSamePerson(one.event, other.event);
}
