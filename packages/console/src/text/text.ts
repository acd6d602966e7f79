/** The texts of the console, in the language that the person has chosen or the browser asks for. */
import { useIntl } from 'react-intl';
import { en } from './en.ts';

/** Names a text. */
export type TextId = keyof typeof en;
export type Language = 'en' | 'de';

/** The texts of a language; those that are not English are loaded. Every language has every text, or types are wrong. */
export async function loadTexts(language: Language): Promise<Readonly<Record<TextId, string>>> {
  return language === 'de' ? (await import('./german.ts')).de : en;
}

/** The first of the languages that there are texts in. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0];
    if (language !== undefined && isLanguage(language)) return language;
  }
  return 'en';
}

/** Whether there are texts in it. */
export function isLanguage(language: string): language is Language {
  return language === 'en' || language === 'de';
}

/**
 * The locale whose dates and numbers go with a language: that of the browser, such as `en-GB`, if it is of the language.
 * Browsers are not always right: where the system's locale is POSIX, Chromium names `en-US@posix`, which no formatter takes.
 */
export function chooseLocale(wanted: readonly string[], language: Language): string {
  return wanted.find((tag) => tag.toLowerCase().split('-')[0] === language && isLanguageTag(tag)) ?? language;
}

/** Whether a text is a language tag (BCP 47). */
function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** What is put into a text. */
export type Values = Readonly<Record<string, string | number | Date>>;

/** Gives the text of a name, with values in it. */
export type TextOf = (id: TextId, values?: Values) => string;

/** The texts of the present language. */
export function useText(): TextOf {
  const { formatMessage } = useIntl();
  return (id, values) => formatMessage({ id }, values);
}

/** Whether there is a text of that name. */
export function isTextId(id: string): id is TextId {
  return Object.hasOwn(en, id);
}
