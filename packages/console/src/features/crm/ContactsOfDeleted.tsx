/** Contacts that name companies, as said before these are deleted: they no longer will, and a restored company does not get them back. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Contact } from '@trellis/client/generated/types.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { useIntl } from 'react-intl';
import type { Page } from '../../api/api.ts';
import { resourceByName } from '../../resources/declared.ts';
import { collectionPath } from '../../resources/places.ts';
import type { DeletionProps } from '../../resources/presentation.ts';
import { listRecords, recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { texts } from './texts.ts';

/** Companies that are looked at, and contacts that are named. */
const mostCompanies = 20;
const mostNamed = 3;

export function ContactsOfDeleted({ records }: DeletionProps) {
  const featureText = useFeatureText(texts);
  const { formatList } = useIntl();
  const { api } = useWorkspace();
  const resource = resourceByName(contacts.name);
  const refusal = useRefusal()(resource, 'read');
  const ids = records.slice(0, mostCompanies).map(({ id }) => id);
  const naming = useQuery({
    queryKey: [...recordKeys.all(resource), 'naming', ...ids],
    queryFn: async ({ signal }) => {
      const found = new Map<string, string>();
      for (const companyId of ids) {
        const query = { companyId, fields: 'displayName', sort: 'displayName', limit: String(mostNamed + 1) };
        const page = await listRecords(api, resource, null, query, undefined, signal);
        for (const { id, displayName } of (page as Page<Contact>).items) found.set(id, displayName);
      }
      return [...found.values()];
    },
    staleTime: 0,
    enabled: refusal === null,
  });
  if (naming.isError) return <FailureNotice error={naming.error} />;
  const named = naming.data ?? [];
  if (named.length === 0) return null;
  const [company, ...others] = ids;
  const isMore = named.length > mostNamed || records.length > mostCompanies;
  return (
    <Notice kind="failure">
      <Text size="sm">
        {featureText('deletedCompany', {
          companies: records.length,
          contacts: formatList([
            ...named.slice(0, mostNamed),
            ...(isMore ? [featureText('furtherContacts')] : []),
          ]),
        })}
      </Text>
      {others.length === 0 && (
        <Link to={collectionPath(resource, null) as string} search={{ companyId: company }}>
          {featureText('showThem')}
        </Link>
      )}
    </Notice>
  );
}
