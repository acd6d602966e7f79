/** The entry of the console. */
import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import './app/console.css';
import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { IntlProvider } from 'react-intl';
import { isProblem, ProblemError } from './api/problem.ts';
import { router } from './app/router.tsx';
import { sessionKeys } from './app/session.ts';
import { cssVariables, theme } from './app/theme.ts';
import { catalogue, chooseLanguage } from './text/text.ts';

const language = chooseLanguage(navigator.languages);
document.documentElement.lang = language;

/** The nonce of this response, for the styles that are added while the page runs. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// Where the package that keeps the page behind a dialog from scrolling looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** A session that has ended is noticed by whatever is asked next, which leads to the sign-in. */
function noticeEnd(error: unknown): void {
  if (isProblem(error, 'session_invalid')) queries.setQueryData(sessionKeys.session, null);
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The requests to /v1 are repeated where that makes sense.
      retry: (count, error) => count < 2 && error instanceof ProblemError && error.code === 'unreachable',
    },
  },
});

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no element for the console');
createRoot(root).render(
  <IntlProvider locale={language} defaultLocale="en" messages={catalogue[language]}>
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
  </IntlProvider>,
);
