/** Rules of books: ISBN-10 agrees with ISBN-13, one price for each currency and territory, a date for forthcoming books. */

import type { Fault } from '@trellis/schema/problem.ts';
import { findRepeated } from '@trellis/schema/validation/faults.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { isbn13To10 } from '@trellis/schema/values/isbn.ts';
import type { Rules } from '../../pipeline/model.ts';

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

function checkPrices(values: Values): Fault[] {
  const prices = values.prices as readonly { currency: string; territory: string | null }[];
  const markets = prices.map(({ currency, territory }, index) => ({
    value: `${currency} ${territory ?? ''}`,
    pointer: `/prices/${index}`,
  }));
  return findRepeated(markets, (index) => {
    const { currency, territory } = prices[index] ?? {};
    return `There is already a price in ${currency} for ${territory ?? 'all countries'}.`;
  });
}
