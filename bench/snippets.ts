/**
 * The part `snippets` of the benchmark: processor time that the snippets of one page of search results take, without
 * anything around them. Texts are those of the other parts, in ASCII and with an accent in every fifth word.
 */
import type { Term } from '@trellis/server/kernel/pipeline/search/analyzer/question.ts';
import { createHighlighter } from '@trellis/server/kernel/pipeline/search/highlight.ts';
import { makeVocabulary } from './data.ts';

const hits = 20;
const bodyCharacters = 4_000;
const rounds = 400;
/** Most processor time for the snippets of a page, in ms. */
const aim = 0.5;

const vocabulary = makeVocabulary();
let state = 1;
/** Numbers from 0 (included) to 1 (excluded), the same in every run. */
function nextNumber(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

function makeText(characters: number, accents: boolean): string {
  let text = '';
  for (let word = 0; text.length < characters; word += 1) {
    const drawn = vocabulary[Math.floor(vocabulary.length ** nextNumber())] ?? '';
    text += `${accents && word % 5 === 0 ? drawn.replace(/[aeiou]/, (letter) => `${letter}\u0301`.normalize('NFC')) : drawn} `;
  }
  return text.trim();
}

/** The texts of a page of results; the words are at `place`, a fraction of the body. */
function makePage(words: readonly string[], place: number, accents: boolean) {
  return Array.from({ length: hits }, () => {
    const body = makeText(bodyCharacters, accents);
    const at = body.indexOf(' ', Math.floor(body.length * place));
    return [
      { field: 'versionData.title', text: makeText(50, accents) },
      { field: 'versionData.summary', text: makeText(200, accents) },
      { field: 'versionData.body', text: `${body.slice(0, at)} ${words.join(' ')}${body.slice(at)}` },
    ];
  });
}

const terms = (...words: string[]): Term[] =>
  words.map((text, index) => ({ text, isPrefix: index === words.length - 1 }));

const cases = [
  { name: 'one word, early', words: ['xylophone'], place: 0.05 },
  { name: 'one word, in the middle', words: ['xylophone'], place: 0.5 },
  { name: 'one word, at the end', words: ['xylophone'], place: 0.95 },
  { name: 'two words, in the middle', words: ['xylophone', 'zeppelin'], place: 0.5 },
  { name: 'a common word', words: ['the'], place: 0.5 },
] as const;

process.stdout.write(`Processor time for the snippets of ${hits} hits; aim ${aim} ms.\n\n`);
process.stdout.write('| words | ASCII, ms | accented, ms |\n| --- | --: | --: |\n');
for (const { name, words, place } of cases) {
  const cells = [false, true].map((accents) => {
    const page = makePage(words, place, accents);
    const wanted = terms(...words);
    const cut = () => {
      const highlight = createHighlighter(wanted);
      for (const texts of page) if (highlight(texts).length === 0) throw new Error('a word was not found');
    };
    for (let round = 0; round < rounds / 10; round += 1) cut();
    const before = process.cpuUsage();
    for (let round = 0; round < rounds; round += 1) cut();
    const { user, system } = process.cpuUsage(before);
    return ((user + system) / 1_000 / rounds).toFixed(3);
  });
  process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`);
}
