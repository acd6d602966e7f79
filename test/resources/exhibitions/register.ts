/**
 * Adds the resource exhibitions to the list of resources of this process. Must be imported before any module of the
 * product, which then loads this folder's list instead of its own.
 */
import { registerHooks } from 'node:module';

const ownList = new URL('../../../packages/schema/src/resources/list.ts', import.meta.url).href;
const longerList = new URL('./list.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const isReplaced = resolved.url === ownList && context.parentURL !== longerList;
    return isReplaced ? { ...resolved, url: longerList } : resolved;
  },
});
