/** The contacts that one owns, those that changed last first; nothing for somebody who owns none. */
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { resourceByName } from '../../resources/declared.ts';
import { collectionPath, recordPathOf } from '../../resources/places.ts';
import { listRecords, recordKeys } from '../../resources/queries.ts';
import { titleOf } from '../../resources/values.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { HomeSection, WaitingList } from './HomeSection.tsx';
import { texts } from './texts.ts';

const contacts = resourceByName('contacts');
const shown = '6';

export function ContactSection() {
  const { api, signedIn } = useWorkspace();
  const featureText = useFeatureText(texts);
  const owner = { ownerUserId: signedIn.user.id };
  const own = useQuery({
    queryKey: recordKeys.list(contacts, null, `own ${owner.ownerUserId}`),
    queryFn: ({ signal }) =>
      listRecords(
        api,
        contacts,
        null,
        { ...owner, limit: shown, sort: '-updatedAt', fields: 'displayName,updatedAt' },
        undefined,
        signal,
      ),
  });
  // The lists of contacts say why they cannot be read.
  if (own.data === undefined || own.data.items.length === 0) return null;
  return (
    <HomeSection
      title={featureText('contacts')}
      aside={
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to={collectionPath(contacts, null)} search={owner} {...props} />}
        >
          {featureText('allContacts')}
        </Anchor>
      }
    >
      <WaitingList
        items={own.data.items.map((contact) => ({
          id: contact.id,
          title: titleOf(contacts, contact),
          href: recordPathOf(contacts, null, contact.id),
          instant: String(contact.updatedAt),
          userId: null,
        }))}
        none=""
      />
    </HomeSection>
  );
}
