/** The files of a built console, in memory: some 2 MB, which are read once. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pageFiles } from '@trellis/console/build/page.ts';
import { share } from '../../kernel/http/shared-content.ts';

/** A file of the build, with its compressed forms; null for what does not become smaller. */
export interface Asset {
  readonly type: string;
  readonly content: Buffer;
  readonly brotli: Buffer | null;
  readonly gzip: Buffer | null;
}

export interface ConsoleFiles {
  /** The page for somebody with a session and for somebody without, with placeholders for the nonce. */
  readonly pages: { readonly signedIn: string; readonly signedOut: string };
  /** By name, without the folder. */
  readonly assets: ReadonlyMap<string, Asset>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Reads a finished build; null while there is none. */
export async function loadFiles(folder: string): Promise<ConsoleFiles | null> {
  const [signedIn, signedOut] = await Promise.all(
    pageFiles.map(async (name) => (await readOptional(join(folder, name)))?.toString('utf8')),
  );
  if (signedIn === undefined || signedOut === undefined) return null;
  const assetFolder = join(folder, 'assets');
  const names = (await readdir(assetFolder)).filter((name) => types[extname(name)] !== undefined);
  const assets = await Promise.all(
    names.map(async (name): Promise<[string, Asset]> => {
      const path = join(assetFolder, name);
      const [content, brotli, gzip] = await Promise.all([
        readFile(path),
        readOptional(`${path}.br`),
        readOptional(`${path}.gz`),
      ]);
      for (const form of [content, brotli, gzip]) if (form !== null) share(form);
      return [name, { type: types[extname(name)] ?? '', content, brotli, gzip }];
    }),
  );
  return { pages: { signedIn, signedOut }, assets: new Map(assets) };
}

async function readOptional(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
