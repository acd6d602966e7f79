/** The entry of the console. */
import '@fontsource-variable/inter/wght.css';
import './app/mantine-styles.ts';
import './app/console.css';
import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { ProblemError } from './api/problem.ts';
import { registerFeatures } from './app/features.ts';
import { openFirstPage } from './app/first-page.ts';
import { router } from './app/router.tsx';
import { cssVariables, theme } from './app/theme.ts';
import { noticeSessionEnd } from './session/session.ts';
import { LanguageProvider, loadLanguage } from './text/LanguageProvider.tsx';
import { readChosenLanguage } from './text/language.ts';
import { readNonce } from './ui/csp-nonce.ts';
import { keepFocus } from './ui/keep-focus.ts';

const nonce = readNonce();
// Where the package that keeps the page behind a dialog from scrolling looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** The next request notices a session that has ended or belongs to somebody else. */
function noticeEnd(error: unknown): void {
  noticeSessionEnd(queries, error);
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Without a network a page says so, instead of waiting for it without a word; it is read again when the network is back.
      networkMode: 'always',
      refetchOnReconnect: true,
      // The requests to /v1 are repeated where that makes sense.
      retry: (count, error) => count < 2 && error instanceof ProblemError && error.code === 'unreachable',
    },
    // Also when offline: changes are stored in the browser immediately, and other writes report why they fail.
    mutations: { networkMode: 'always' },
  },
});

registerFeatures();
keepFocus();
const [language] = await Promise.all([loadLanguage(readChosenLanguage()), openFirstPage(queries)]);
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no element for the console');
createRoot(root).render(
  <LanguageProvider initial={language}>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </LanguageProvider>,
);
