/**
 * Adds the resource exhibitions to the list of resources of this process, and its feature to that of features. Must be imported before any
 * module of the product, which then loads this folder's list instead of its own.
 */
import { registerHooks } from 'node:module';
import { withExhibitions } from './insert.ts';

const source = new URL('../../../packages/', import.meta.url).href;
const ownList = `${source}schema/src/resources/list.ts`;
const longerList = new URL('./list.ts', import.meta.url).href;
const code = new URL('./feature.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const isReplaced = resolved.url === ownList && context.parentURL !== longerList;
    return isReplaced ? { ...resolved, url: longerList } : resolved;
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== `${source}server/src/features.ts` || !ArrayBuffer.isView(loaded.source)) return loaded;
    return { ...loaded, source: withExhibitions(new TextDecoder().decode(loaded.source), code) };
  },
});
