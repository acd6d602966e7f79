/** A company to read: how to reach it, who works there, to whom it belongs, and what happened. */
import { Link } from '@tanstack/react-router';
import type { Company, Contact } from '@trellis/client/generated/types.ts';
import { useIntl } from 'react-intl';
import { ReferenceName } from '../../fields/ReferenceName.tsx';
import { useLiveRecord } from '../../live/use-live-record.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordPathOf } from '../../resources/places.ts';
import type { RecordPageProps } from '../../resources/presentation.ts';
import { useFeatureText } from '../../text/feature.ts';
import shared from '../../ui/shared.module.css';
import { texts } from './company-texts.ts';
import { Fact, Facts } from './Facts.tsx';
import { LongText, ReadingPage } from './ReadingPage.tsx';
import { ReadOrEdit, type ViewProps } from './ReadOrEdit.tsx';
import { RelatedRecords } from './RelatedRecords.tsx';
import { joined, Ways } from './Ways.tsx';

export function CompanyPage(props: RecordPageProps) {
  return <ReadOrEdit {...props} View={CompanyView} />;
}

function CompanyView({ resource, record: company }: ViewProps<Company>) {
  const featureText = useFeatureText(texts);
  const last = useLiveRecord(resource, null, company.id);
  const { employeeCount, parentCompanyId } = company;
  const employees = employeeCount === null ? null : featureText('employees', { count: employeeCount });
  return (
    <ReadingPage
      resource={resource}
      record={company}
      last={last}
      name={company.name}
      about={joined([company.industry, employees], ' · ')}
    >
      <Ways
        websiteUrl={company.websiteUrl}
        phones={company.phones}
        addresses={company.addresses}
        none={featureText('unreachable')}
      />
      <Facts resource={resource} record={company} last={last}>
        <Fact name={featureText('parent')}>
          {parentCompanyId === null ? null : (
            <Link to={recordPathOf(resource, null, parentCompanyId)} className={shared.link}>
              <ReferenceName resource={resource} parentId={null} id={parentCompanyId} />
            </Link>
          )}
        </Fact>
        <Fact name={featureText('domains')}>
          {company.domains.length === 0 ? null : company.domains.join(', ')}
        </Fact>
        <Fact name={featureText('revenue')}>
          {company.annualRevenue === null ? null : <Money {...company.annualRevenue} />}
        </Fact>
      </Facts>
      <RelatedRecords<Contact>
        title={featureText('contacts')}
        resource={resourceByName('contacts')}
        filter={{ companyId: company.id }}
        fields={['jobTitle', 'companies']}
        describe={({ jobTitle, companies }) =>
          companies.find(({ companyId }) => companyId === company.id)?.role ?? jobTitle ?? ''
        }
        none={featureText('noContacts')}
        add={{ label: featureText('addContact'), search: { companyId: company.id } }}
      />
      <RelatedRecords
        title={featureText('subsidiaries')}
        resource={resource}
        filter={{ parentCompanyId: company.id }}
      />
      <LongText title={featureText('description')} text={company.description} />
    </ReadingPage>
  );
}

function Money({ amount, currency }: { readonly amount: string; readonly currency: string }) {
  const { locale } = useIntl();
  // A decimal text is formatted exactly; a number would round it.
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
  return <>{format.format(amount as Intl.StringNumericLiteral)}</>;
}
