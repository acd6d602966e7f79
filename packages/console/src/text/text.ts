/** The texts of the console, in the language that the browser asks for. */
import { useIntl } from 'react-intl';
import { en } from './en.ts';

/** Names a text. */
export type TextId = keyof typeof en;
export type Language = 'en' | 'de';

/** The texts of a language; those that are not English are loaded. Every language has every text, or types are wrong. */
export async function loadTexts(language: Language): Promise<Readonly<Record<TextId, string>>> {
  return language === 'de' ? (await import('./de.ts')).de : en;
}

/** The first of the languages that there are texts in. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0];
    if (language === 'en' || language === 'de') return language;
  }
  return 'en';
}

type Values = Readonly<Record<string, string | number | Date>>;

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
