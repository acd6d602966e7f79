/** The home page: failures, pending work and recent changes, as far as the user may read them. */
import { Anchor, Box, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { signInApi } from '../../api/sign-in.ts';
import { resourceByName } from '../../resources/declared.ts';
import { collectionPath } from '../../resources/places.ts';
import { listRecords, recordKeys } from '../../resources/queries.ts';
import { readingEvents, useRefusal, useRightRefusal } from '../../session/missing-right.ts';
import { sessionKeys } from '../../session/session.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import shared from '../../ui/shared.module.css';
import { ArticleSections } from './ArticleSections.tsx';
import { ContactSection } from './ContactSection.tsx';
import { FailureSection } from './FailureSection.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import styles from './HomePage.module.css';
import { RecentChanges } from './RecentChanges.tsx';

const articles = resourceByName('articles');
const siteResource = resourceByName('sites');

export function HomePage() {
  const text = useText();
  const refusal = useRefusal();
  const refusalOf = useRightRefusal();
  const { api, signedIn } = useWorkspace();
  const mayReadArticles = refusal(articles, 'read') === null && refusal(siteResource, 'read') === null;
  const mayReadContacts = refusal(resourceByName('contacts'), 'read') === null;
  const sites = useQuery({
    queryKey: recordKeys.list(siteResource, null, 'ids'),
    queryFn: async ({ signal }) => {
      const { items } = await listRecords(api, siteResource, null, { fields: 'name' }, undefined, signal);
      return items.map(({ id }) => id);
    },
    enabled: mayReadArticles,
  });
  return (
    <>
      <PageHead title={text('home.title')} actions={mayReadArticles && <NewArticleButton />} />
      <Box className={shared.page} maw={1120}>
        <h2 className={shared.heading}>{text('home.greeting', { name: signedIn.user.name })}</h2>
        <MissingFactor />
        {sites.data?.length === 0 && <FirstSteps />}
        <FailureNotice error={sites.error} />
        <FailureSection />
        <div className={styles.columns}>
          {refusalOf(readingEvents) === null && <RecentChanges />}
          {(mayReadArticles || mayReadContacts) && (
            <Stack gap={24} miw={0}>
              {mayReadArticles && <ArticleSections />}
              {mayReadContacts && <ContactSection />}
            </Stack>
          )}
        </div>
      </Box>
    </>
  );
}

function NewArticleButton() {
  const text = useText();
  const names = useNames();
  const navigate = useNavigate();
  return (
    <GuardedButton
      refusal={useRefusal()(articles, 'create')}
      leftSection={<Icon name="plus" />}
      onClick={() => void navigate({ to: `${collectionPath(articles, null)}/new` as string })}
    >
      {text('record.new', { name: names.noun(articles) })}
    </GuardedButton>
  );
}

/** Whoever came by a link has nothing to come back with. */
function MissingFactor() {
  const text = useText();
  const factors = useQuery({ queryKey: sessionKeys.factors, queryFn: signInApi.readFactors });
  if (factors.data === undefined) return null;
  const { hasPassword, passkeys, external } = factors.data;
  if (hasPassword || passkeys.length > 0 || external.length > 0) return null;
  return (
    <Notice kind="hint" title={text('home.missingFactor')}>
      {text('home.missingFactorAbout')}{' '}
      <Anchor component={Link} to="/account" size="sm">
        {text('home.setFactor')}
      </Anchor>
    </Notice>
  );
}
