/** A contact to read: who it is, how to reach them, for whom they work, and what happened. */
import { Link, useSearch } from '@tanstack/react-router';
import type { Contact } from '@trellis/client/generated/types.ts';
import { ReferenceName } from '../../fields/ReferenceName.tsx';
import { useLiveRecord } from '../../live/use-live-record.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordPathOf } from '../../resources/places.ts';
import type { RecordPageProps } from '../../resources/presentation.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { texts } from './contact-texts.ts';
import { Fact, Facts } from './Facts.tsx';
import styles from './ReadingPage.module.css';
import { LongText, ReadingPage, Section } from './ReadingPage.tsx';
import { ReadOrEdit, type ViewProps } from './ReadOrEdit.tsx';
import { texts as sharedTexts } from './texts.ts';
import { joined, Ways } from './Ways.tsx';

export function ContactPage(props: RecordPageProps) {
  const { companyId } = useSearch({ strict: false });
  // The page of a company leads to the form of somebody who works there.
  const initial = typeof companyId === 'string' ? { companies: [{ companyId, isPrimary: true }] } : {};
  return <ReadOrEdit {...props} initial={initial} View={ContactView} />;
}

function ContactView({ resource, record: contact }: ViewProps<Contact>) {
  const featureText = useFeatureText(texts);
  const last = useLiveRecord(resource, null, contact.id);
  return (
    <ReadingPage
      resource={resource}
      record={contact}
      last={last}
      name={contact.displayName}
      about={contact.jobTitle ?? ''}
    >
      {contact.doNotContact && <Notice kind="failure">{featureText('doNotContact')}</Notice>}
      <Ways
        emails={contact.emails}
        phones={contact.phones}
        addresses={contact.addresses}
        none={featureText('unreachable')}
      />
      <Companies companies={contact.companies} />
      <Facts resource={resource} record={contact} last={last}>
        <Fact name={featureText('source')}>{contact.source}</Fact>
        <Fact name={featureText('timezone')}>{contact.timezone}</Fact>
      </Facts>
      <LongText title={featureText('notes')} text={contact.notes} />
    </ReadingPage>
  );
}

function Companies({ companies }: Pick<Contact, 'companies'>) {
  const featureText = useFeatureText(texts);
  const reachText = useFeatureText(sharedTexts);
  const refusal = useRefusal();
  const resource = resourceByName('companies');
  if (companies.length === 0 || refusal(resource, 'read') !== null) return null;
  return (
    <Section title={featureText('companies')}>
      <ul className={styles.list}>
        {companies.map(({ companyId, role, isPrimary }) => (
          <li key={companyId}>
            <Link to={recordPathOf(resource, null, companyId)} className={shared.link}>
              <ReferenceName resource={resource} parentId={null} id={companyId} />
            </Link>
            <span className={shared.about}>
              {joined([role, isPrimary ? reachText('primary') : null], ' · ')}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
