/**
 * Checks of the values that operators give to administration commands. Errors name the nearest valid value.
 */

import { type Module, modules } from '@trellis/schema/resources/resource.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { normalizeAddress } from '@trellis/schema/values/address.ts';
import { explainCountry, readCountry } from '@trellis/schema/values/country.ts';
import { cleanName } from '@trellis/schema/values/invisible.ts';
import {
  codePointLength,
  findForbiddenCharacter,
  nearestName,
  normalizeText,
} from '@trellis/schema/values/text.ts';

/** An administration command cannot be carried out; the message says why and what would work. */
export class AdministrationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AdministrationError';
  }
}

/** ` Did you mean "…"?`, or an empty text if no name is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === null ? '' : ` Did you mean "${nearest}"?`;
}

export function checkKey(key: string): string {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(key) || key.length > 63) {
    throw new AdministrationError(
      `The key must be 1 to 63 lower-case letters, digits and single hyphens between them, not "${key}".`,
    );
  }
  return key;
}

export function checkName(text: string, what: string): string {
  const name = cleanName(normalizeText(text));
  const length = codePointLength(name);
  if (length < 1 || length > 120 || findForbiddenCharacter(name) !== -1 || /[\t\n]/.test(name)) {
    throw new AdministrationError(`The ${what} must be one line of 1 to 120 characters.`);
  }
  return name;
}

/** The code of a country in any of its names. @throws AdministrationError if it is not known */
export function checkCountry(text: string): string {
  const code = readCountry(text);
  if (code === null) throw new AdministrationError(explainCountry(text));
  return code;
}

export function checkModules(names: readonly string[]): Module[] {
  return names.map((name) => {
    const found = modules.find((known) => known === name);
    if (found === undefined) {
      throw new AdministrationError(`There is no module "${name}". The modules are ${modules.join(', ')}.`);
    }
    return found;
  });
}

export function checkScopes(names: readonly string[]): string[] {
  if (names.length === 0) {
    throw new AdministrationError(
      'A token needs at least one scope: --scopes "articles:read", or --all-scopes.',
    );
  }
  for (const name of names) {
    if (allScopes.includes(name)) continue;
    const nearest = nearestName(name, allScopes);
    throw new AdministrationError(
      `There is no scope "${name}".${nearest === null ? ` The scopes are ${allScopes.join(' ')}.` : ` Did you mean "${nearest}"?`}`,
    );
  }
  return [...new Set(names)];
}

/** Normalizes an e-mail address for comparison. @throws AdministrationError if it is not an address */
export function checkAddress(email: string): string {
  const address = normalizeAddress(email);
  if (address === null) throw new AdministrationError(`"${email}" is not an e-mail address.`);
  return address;
}
