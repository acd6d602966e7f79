/** The texts and names of the console, in the chosen language or that of the browser. */
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { IntlProvider } from 'react-intl';
import { keepLanguage, type LanguageChoice, LanguageContext } from './language.ts';
import { loadNames, type Names, NamesContext } from './names.ts';
import { chooseLanguage, chooseLocale, type Language, loadTexts, type TextId } from './text.ts';

/** What a language consists of. */
export interface LoadedLanguage {
  readonly chosen: Language | null;
  readonly language: Language;
  readonly messages: Readonly<Record<TextId, string>>;
  readonly names: Names;
}

/** Loads the texts of a language; null: of the browser's language. */
export async function loadLanguage(chosen: Language | null): Promise<LoadedLanguage> {
  const language = chosen ?? chooseLanguage(navigator.languages);
  const [messages, names] = await Promise.all([loadTexts(language), loadNames(language)]);
  return { chosen, language, messages, names };
}

interface Props {
  readonly initial: LoadedLanguage;
  readonly children: ReactNode;
}

export function LanguageProvider({ initial, children }: Props) {
  const [{ chosen, language, messages, names }, setLoaded] = useState(initial);
  const last = useRef(0);
  useLayoutEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choice = useMemo(
    (): LanguageChoice => ({
      chosen,
      choose: async (next) => {
        last.current += 1;
        const number = last.current;
        const loaded = await loadLanguage(next);
        // Somebody may have chosen another one while this one was loaded.
        if (number !== last.current) return;
        keepLanguage(next);
        setLoaded(loaded);
      },
    }),
    [chosen],
  );
  return (
    <IntlProvider locale={chooseLocale(navigator.languages, language)} defaultLocale="en" messages={messages}>
      <NamesContext value={names}>
        <LanguageContext value={choice}>{children}</LanguageContext>
      </NamesContext>
    </IntlProvider>
  );
}
