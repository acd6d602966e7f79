/** The texts of the console, in the language that the browser asks for. */
import { useIntl } from 'react-intl';
import { de } from './de.ts';
import { en } from './en.ts';

/** Names a text. */
export type TextId = keyof typeof en;
export type Language = 'en' | 'de';

/** Every language has every text: a missing one is an error of types. */
export const catalogue: Readonly<Record<Language, Readonly<Record<TextId, string>>>> = { en, de };

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
