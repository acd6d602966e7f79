/** What is loaded together, because people come from one page of it to the other; `build/chunks.ts` makes few files of it. */

/** The pages before the shell. */
export const loadEntryPages = () => import('./entry-pages.ts');
/** What people come to from the sign-in: the shell and its first page. */
export const loadHome = () => import('./home.ts');
