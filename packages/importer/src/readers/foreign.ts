/** The readers that bring libraries. They are one module, which is loaded when a file needs one of them: what they share then belongs to no page. */
export { openGhost } from './ghost.ts';
export { openJson } from './json.ts';
export { openKbart } from './kbart.ts';
export { openOnix } from './onix.ts';
export { openVcard } from './vcard.ts';
export { openWordpress } from './wordpress.ts';
export { openXlsx } from './xlsx/xlsx.ts';
export { openZip } from './zip.ts';
