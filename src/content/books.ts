/** Why: what a catalogue must not contradict: a number and its older form, one price for one market, a date to wait for. */
import { isbn13To10 } from '../lib/isbn.ts';
import type { Fault } from '../lib/problem.ts';
import type { Rules } from '../pipeline/model.ts';
import type { Values } from '../pipeline/values.ts';

export const bookRules: Rules = {
  derive: (values) => ({
    ...values,
    isbn10: typeof values.isbn13 === 'string' ? isbn13To10(values.isbn13) : null,
  }),
  check: (values) => [...checkTradeStatus(values), ...checkPrices(values)],
};

function checkTradeStatus(values: Values): Fault[] {
  if (values.tradeStatus !== 'FORTHCOMING' || values.publicationDate !== null) return [];
  const detail = 'A FORTHCOMING book needs a publicationDate.';
  return [{ pointer: '/publicationDate', code: 'required', detail }];
}

function checkPrices({ prices }: Values): Fault[] {
  const seen = new Set<string>();
  return (prices as readonly { currency: string; territory: string | null }[]).flatMap(
    ({ currency, territory }, index) => {
      const market = `${currency} ${territory ?? ''}`;
      if (!seen.has(market)) {
        seen.add(market);
        return [];
      }
      const detail = `There is already a price in ${currency} for ${territory ?? 'all countries'}.`;
      return [{ pointer: `/prices/${index}`, code: 'repeated', detail }];
    },
  );
}
