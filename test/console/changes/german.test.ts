/** What people read in German: nothing of it is missing, and help has no words of the API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import { germanScopes, scopes } from '@trellis/schema/rights/scopes.ts';
import { loadNames } from '../../../packages/console/src/text/names.ts';

/** What people do not see: names of fields and values as in the API, code marks, and standards by number. */
const identifier = /`|[a-z][A-Z]|[A-Z]_|\b(?!ISBN\b|ISSN\b|DOI\b|URL\b)[A-Z]{3,}\b|\b(?:ISO|RFC) \d|\bnull\b/;

/** Faults of the help of a field in a language. */
function helpFaults(help: string, label: string): string[] {
  const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-zäöüß]/g, '');
  return [
    ...(help.trim() === '' ? ['is empty'] : []),
    ...(identifier.test(help) ? ['has an identifier'] : []),
    ...(letters(help) === letters(label) ? ['repeats the label'] : []),
    ...(/[.“”]$/.test(help) ? [] : ['is no sentence']),
  ];
}

test('help is in both languages, has no identifiers, and does not repeat the label', async () => {
  const found = await Promise.all(
    (['en', 'de'] as const).map(async (language) => {
      const names = await loadNames(language);
      return resources.flatMap((resource) =>
        flattenFields(resource).flatMap(([name, field]) => {
          const help = names.help(field);
          if (help === undefined) return [];
          return helpFaults(help, names.field(name)).map(
            (fault) => `${language}: ${resource.name} ${name} ${fault}: ${help}`,
          );
        }),
      );
    }),
  );
  assert.deepEqual(found.flat(), []);
  const helped = resources.flatMap(flattenFields).filter(([, { help }]) => help !== null);
  assert.ok(helped.length > 40);
});

test('identifiers and repetitions in help are found', () => {
  const faulty: Readonly<Record<string, string>> = {
    'Also `allowedUserIds`.': 'has an identifier',
    'Articles that are APPROVED.': 'has an identifier',
    'A language tag (BCP 47).': 'has an identifier',
    'Absent: null.': 'has an identifier',
    'Publication date.': 'repeats the label',
    'A date': 'is no sentence',
    ' ': 'is empty',
  };
  for (const [help, fault] of Object.entries(faulty))
    assert.ok(helpFaults(help, 'Publication date').includes(fault), help);
});

test('the meaning of every scope is in German', () => {
  assert.deepEqual(Object.keys(germanScopes), Object.keys(scopes));
  const same = Object.keys(scopes).filter((scope) => germanScopes[scope] === scopes[scope]);
  assert.deepEqual(same, []);
});

test('one word is used for the status of a record', async () => {
  for (const language of ['en', 'de'] as const) {
    const names = await loadNames(language);
    const labels = resources.flatMap(flattenFields).map(([name]) => names.field(name));
    assert.deepEqual(
      labels.filter((label) => /^(state|zustand)$/i.test(label)),
      [],
    );
  }
});
