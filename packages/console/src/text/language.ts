/** The language that a person has chosen in this browser. It is kept in the browser, so that the sign-in page has it, too. */
import { createContext, useContext } from 'react';
import { isLanguage, type Language } from './text.ts';

const key = 'trellis.language';

/** The chosen language; null when it is that of the browser, or nothing can be read. */
export function readChosenLanguage(
  storage: () => Pick<Storage, 'getItem'> = () => localStorage,
): Language | null {
  try {
    const stored = storage().getItem(key);
    return stored !== null && isLanguage(stored) ? stored : null;
  } catch {
    // Some browsers deny access to a site's storage.
    return null;
  }
}

/** Keeps a choice; null: the language of the browser. Where nothing can be kept, it lasts as long as the page. */
export function keepLanguage(
  chosen: Language | null,
  storage: () => Pick<Storage, 'setItem' | 'removeItem'> = () => localStorage,
): void {
  try {
    if (chosen === null) storage().removeItem(key);
    else storage().setItem(key, chosen);
  } catch {
    // As above.
  }
}

export interface LanguageChoice {
  /** Null: the language of the browser. */
  readonly chosen: Language | null;
  /** Shows the console in that language. @throws TypeError when its texts cannot be loaded; then nothing is changed */
  readonly choose: (chosen: Language | null) => Promise<void>;
}

export const LanguageContext = createContext<LanguageChoice | null>(null);

/** The choice of language. @throws Error outside of the console, which is a mistake in the code */
export function useLanguageChoice(): LanguageChoice {
  const choice = useContext(LanguageContext);
  if (choice === null) throw new Error('a language is chosen outside of the console');
  return choice;
}
