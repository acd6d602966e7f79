/** A page that shows a contact or a company to read. */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ReactNode } from 'react';
import type { ApiRecord } from '../../api/api.ts';
import { LastChange } from '../../live/LastChange.tsx';
import type { LiveChange } from '../../live/live-feed.ts';
import { ReadingFrame } from '../../records/ReadingFrame.tsx';
import details from '../../ui/details.module.css';
import shared from '../../ui/shared.module.css';

interface Props {
  readonly resource: Resource;
  readonly record: ApiRecord;
  readonly name: string;
  /** In a few words; '' for nothing. */
  readonly about: string;
  /** The last change by somebody else. */
  readonly last: LiveChange | null;
  readonly children: ReactNode;
}

export function ReadingPage({ resource, record, name, about, last, children }: Props) {
  return (
    <ReadingFrame
      resource={resource}
      record={record}
      title={name}
      aside={last !== null && <LastChange key={last.at} change={last} />}
    >
      <header>
        <h2 className={shared.heading}>{name}</h2>
        {about !== '' && <p className={shared.about}>{about}</p>}
      </header>
      {children}
    </ReadingFrame>
  );
}

/** A part of the page with a title. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className={shared.subtitle}>{title}</h3>
      {children}
    </section>
  );
}

/** A longer text with its line ends; nothing without one. */
export function LongText({ title, text }: { readonly title: string; readonly text: string | null }) {
  if (text === null) return null;
  return (
    <Section title={title}>
      <p className={details.text}>{text}</p>
    </Section>
  );
}
