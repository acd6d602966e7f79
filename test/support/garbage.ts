/** Collects the garbage of this process, for tests of what is held and what is lost. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Frees what nothing refers to. */
export const collectGarbage = runInNewContext('gc') as () => void;
