/** All texts and names in German, which are loaded together. */
export { de } from './de.ts';
export { germanImportSentences } from './import-sentences.de.ts';
export { germanFields, germanNouns, germanResources, germanValues } from './names.de.ts';
export { german as germanSentences, germanProblems } from './sentences.de.ts';
