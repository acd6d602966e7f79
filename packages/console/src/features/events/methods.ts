/** What the ways to sign in are called. */
import { useIntl } from 'react-intl';
import { useFeatureText } from '../../text/feature.ts';
import { texts } from './texts.ts';

const knownMethods = ['PASSWORD', 'TOTP', 'RECOVERY_CODE', 'PASSKEY', 'EXTERNAL', 'LINK'] as const;

function isMethod(method: string): method is (typeof knownMethods)[number] {
  return knownMethods.some((known) => known === method);
}

/** The names of methods in one phrase: "password and code". */
export function useMethodNames(): (methods: readonly string[]) => string {
  const featureText = useFeatureText(texts);
  const { formatList } = useIntl();
  return (methods) => formatList(methods.map((method) => (isMethod(method) ? featureText(method) : method)));
}
