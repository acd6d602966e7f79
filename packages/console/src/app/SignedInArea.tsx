/** Everything behind the sign-in: asks who is signed in and for which organization, enters it, and shows the shell. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useIntl } from 'react-intl';
import { Api, type Me } from '../api/api.ts';
import { expectedUser, subscribeExpectedUser } from '../api/expected-user.ts';
import { isProblem } from '../api/problem.ts';
import { type Organization, type SignedIn, signInApi } from '../api/sign-in.ts';
import { BulkProvider } from '../lists/bulk/BulkProvider.tsx';
import { LiveProvider } from '../live/LiveProvider.tsx';
import { ChangesProvider } from '../pending/ChangesProvider.tsx';
import { StepUpProvider } from '../session/StepUp.tsx';
import { chooseOrganization, readChosenOrganization, sessionKeys, useSession } from '../session/session.ts';
import { useActivity } from '../session/use-activity.ts';
import { rightsOf, type Workspace, WorkspaceContext } from '../session/workspace.ts';
import { importSealKey, type SealKey } from '../storage/seal.ts';
import { Vault } from '../storage/vault.ts';
import { DialogHost } from '../ui/dialog-host.ts';
import { Starting } from '../ui/Starting.tsx';
import { showToast } from '../ui/toasts/toasts.ts';
import { loadEntryPages, loadHome } from './areas.ts';
import { FailurePage } from './FailurePage.tsx';
import { toSignIn } from './to-sign-in.ts';

const Shell = lazy(() => loadHome().then(({ Shell: component }) => ({ default: component })));
const SignInAgain = lazy(() => loadEntryPages().then((module) => ({ default: module.SignInAgain })));
const OrganizationPage = lazy(() =>
  loadEntryPages().then((module) => ({ default: module.OrganizationPage })),
);
const OtherUserPage = lazy(() => loadEntryPages().then((module) => ({ default: module.OtherUserPage })));

export function SignedInArea() {
  const session = useSession();
  const user = useSyncExternalStore(subscribeExpectedUser, expectedUser);
  const last = useLast(session.data);
  if (session.isPending) return <Starting />;
  // Open pages stay when a refetch fails, here and below: they may have a text that is not stored yet.
  if (session.isLoadingError)
    return <FailurePage error={session.error} retry={() => void session.refetch()} />;
  // Somebody else has signed in in another tab. The open page is not theirs.
  if (session.data !== null && session.data.user.id !== user) {
    return (
      <Suspense fallback={<Starting />}>
        <OtherUserPage signedIn={session.data} />
      </Suspense>
    );
  }
  // After a sign-out the tab works for nobody. When a session expires, open pages stay unchanged.
  const known = last?.user.id === user ? last : null;
  if (known === null) return <ToSignIn />;
  return (
    <>
      <div style={{ display: session.data === null ? 'none' : 'contents' }}>
        <StepUpProvider key={known.user.id} email={known.user.email}>
          <Suspense fallback={<Starting />}>
            <InOrganization signedIn={known} />
          </Suspense>
        </StepUpProvider>
      </div>
      {session.data === null && (
        <Suspense fallback={<Starting />}>
          <SignInAgain email={known.user.email} />
        </Suspense>
      )}
    </>
  );
}

/** The session, also when it has ended: open pages stay, behind the page that signs in again. */
function useLast(session: SignedIn | null | undefined): SignedIn | null {
  const [last, setLast] = useState(session ?? null);
  if (session && session !== last) setLast(session);
  return session ?? last;
}

/** Redirects to the sign-in, and from there back to the requested page. */
function ToSignIn() {
  const router = useRouter();
  useEffect(() => {
    void router.navigate(toSignIn(router.state.location.href));
  }, [router]);
  return null;
}

function InOrganization({ signedIn }: { readonly signedIn: SignedIn }) {
  const [chosenId, setChosenId] = useState(readChosenOrganization);
  useActivity(signedIn.session);
  const organizations = useQuery({
    queryKey: sessionKeys.organizations,
    queryFn: signInApi.listOrganizations,
    staleTime: 60_000,
  });
  const enterable = organizations.data?.filter(({ needsSecondFactor }) => !needsSecondFactor) ?? [];
  const only = organizations.data?.length === 1 ? enterable[0] : undefined;
  const chosen = enterable.find(({ id }) => id === chosenId) ?? only;
  // Stable as long as the organization is the same, even if it is renamed, because background work uses it, too.
  const organizationId = chosen?.id;
  const userId = signedIn.user.id;
  const api = useMemo(
    () => (organizationId === undefined ? null : new Api(organizationId, userId)),
    [organizationId, userId],
  );
  const sealKey = useQuery({
    queryKey: ['seal-key', userId],
    queryFn: async () => importSealKey(await signInApi.readStorageKey()),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const entered = useQuery({
    queryKey: ['entered', signedIn.session.id, chosen?.id],
    queryFn: async () => {
      if (api === null || chosen === undefined) throw new Error('no organization is chosen');
      await signInApi.enterOrganization(chosen.id);
      return api.read('getMe');
    },
    enabled: chosen !== undefined,
    // When the same person has signed in again, open pages stay.
    placeholderData: (previous, query) => (query?.queryKey[2] === chosen?.id ? previous : undefined),
    // A role may change while somebody works.
    staleTime: 60_000,
  });
  const choose = useChoice(setChosenId);
  if (organizations.isLoadingError)
    return <FailurePage error={organizations.error} retry={() => void organizations.refetch()} />;
  if (organizations.isPending) return <Starting />;
  if (chosen === undefined || api === null) {
    return (
      <OrganizationPage organizations={organizations.data} choose={choose} email={signedIn.user.email} />
    );
  }
  if (entered.isLoadingError && !isProblem(entered.error, 'session_invalid', 'wrong_user'))
    return <FailurePage error={entered.error} retry={() => void entered.refetch()} />;
  if (sealKey.isLoadingError && !isProblem(sealKey.error, 'session_invalid', 'wrong_user'))
    return <FailurePage error={sealKey.error} retry={() => void sealKey.refetch()} />;
  if (entered.data === undefined || sealKey.data === undefined) return <Starting />;
  return (
    <Entered
      key={chosen.id}
      signedIn={signedIn}
      api={api}
      me={entered.data}
      sealKey={sealKey.data}
      organization={chosen}
      organizations={enterable}
      choose={choose}
    />
  );
}

/** Switches to another organization, and discards everything that was read in the last one. */
function useChoice(setChosenId: (id: string) => void): (id: string) => void {
  const queries = useQueryClient();
  return (id) => {
    chooseOrganization(id);
    queries.removeQueries({ queryKey: ['v1'] });
    setChosenId(id);
  };
}

interface EnteredProps {
  readonly signedIn: SignedIn;
  readonly api: Api;
  readonly me: Me;
  readonly sealKey: SealKey;
  readonly organization: Organization;
  readonly organizations: readonly Organization[];
  readonly choose: (id: string) => void;
}

function Entered({ signedIn, api, me, sealKey, organization, organizations, choose }: EnteredProps) {
  const { formatMessage } = useIntl();
  const format = useRef(formatMessage);
  useEffect(() => {
    format.current = formatMessage;
  }, [formatMessage]);
  const owner = `${organization.id} ${signedIn.user.id}`;
  const vault = useMemo(() => {
    const onUnreadable = (count: number) =>
      showToast({ kind: 'failure', message: format.current({ id: 'storage.unreadable' }, { count }) });
    return new Vault({ key: sealKey, owner, onUnreadable });
  }, [sealKey, owner]);
  const [viewedRole, viewAs] = useState<Me['role'] | null>(null);
  const [dialog, showDialog] = useState<ReactNode>(null);
  const workspace = useMemo((): Workspace => {
    const shown = viewedRole === null ? me : { ...me, role: viewedRole };
    return { signedIn, organization, api, vault, me: shown, rights: rightsOf(shown), viewedRole, viewAs };
  }, [signedIn, organization, api, vault, me, viewedRole]);
  return (
    <WorkspaceContext value={workspace}>
      <ChangesProvider>
        <LiveProvider>
          <BulkProvider>
            <DialogHost value={showDialog}>
              <Shell organizations={organizations} choose={choose} />
              {dialog}
            </DialogHost>
          </BulkProvider>
        </LiveProvider>
      </ChangesProvider>
    </WorkspaceContext>
  );
}
