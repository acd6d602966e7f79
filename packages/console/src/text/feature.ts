/**
 * Texts of a feature that is loaded when it is first shown: they are in its file `texts.ts`, in every language, so that the
 * first load does not carry them. Texts of the shell and the sign-in pages are in `en.ts` and `de.ts`.
 */
import { useIntl } from 'react-intl';
import { chooseLanguage, type Language, type Values } from './text.ts';

/** The texts of a feature by name, in every language, in ICU MessageFormat. */
export type FeatureTexts = Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** Gives the text of a name, with values in it. */
export type FeatureTextOf<Texts extends FeatureTexts> = (id: keyof Texts, values?: Values) => string;

/** The texts of a feature in the present language. */
export function useFeatureText<const Texts extends FeatureTexts>(texts: Texts): FeatureTextOf<Texts> {
  const localize = useLocalized();
  return (id, values) => localize(texts[id] ?? nothing, values);
}

const nothing = { en: '', de: '' };

/** Gives a text in the present language, with values in it. */
export function useLocalized(): (text: Readonly<Record<Language, string>>, values?: Values) => string {
  const intl = useIntl();
  const language = chooseLanguage([intl.locale]);
  return (text, values) =>
    String(intl.formatters.getMessageFormat(text[language], intl.locale).format(values));
}
