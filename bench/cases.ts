/** Why: what is measured, said once for both servers. */
import { commonWords, middleWord, rareWord } from './data.ts';
import type { LoadRequest } from './load.ts';
import type { Server } from './processes.ts';

/** One kind of call, as each server takes it. */
export interface Case {
  readonly name: string;
  /** Least requests per second of ours, as a part of the bare server's. */
  readonly aim: number;
  /** The bare server that is compared with: the one that does what a programmer would write, or our three ways. */
  readonly baseline: 'bare' | 'bare-ways';
  requests(server: Server): LoadRequest[];
}

const collection = (server: Server) => `/v1/sites/${server.site}/articles`;

/** A case that asks for one path of the collection. */
function read(name: string, aim: number, suffix: string, baseline: Case['baseline'] = 'bare'): Case {
  return {
    name,
    aim,
    baseline,
    requests: (server) => [{ method: 'GET', path: `${collection(server)}${suffix}` }],
  };
}

/** An article's body, 1,800 characters. */
const body = 'Grown along a lattice, pruned in spring, and quite content. '.repeat(30);

export const cases: readonly Case[] = [
  {
    name: 'get',
    aim: 0.6,
    baseline: 'bare',
    requests: (server) =>
      server.articles.map((id) => ({ method: 'GET', path: `${collection(server)}/${id}` })),
  },
  read('list 25', 0.7, '?limit=25'),
  read('list 25, status=DRAFT', 1, '?status=DRAFT&limit=25'),
  read('list 25, text in most', 1, `?search=${commonWords[0].slice(0, 6)}&limit=25`),
  read('list 25, text in 1 of 50', 1, `?search=${middleWord.slice(0, 6)}&limit=25`),
  read('list 25, text in 1 of 1000', 1, `?search=${rareWord.slice(0, 6)}&limit=25`),
  // Nothing but the checks differ here, as in a plain list.
  read('same, bare with our SQL', 0.7, `?search=${rareWord.slice(0, 6)}&limit=25`, 'bare-ways'),
  read('search, 1 of 1000', 1, `/search?query=${rareWord}`),
  read('search, 1 of 50', 1, `/search?query=${middleWord}`),
  read('search, two common words', 1, `/search?query=${commonWords.join('%20')}`),
  {
    name: 'create',
    aim: 0.5,
    baseline: 'bare',
    requests: (server) => [
      {
        method: 'POST',
        path: collection(server),
        body: JSON.stringify({ versionData: { title: 'Trellis number {number}', body } }),
      },
    ],
  },
  {
    name: 'patch',
    aim: 0.5,
    baseline: 'bare',
    // Drafts, so that both servers change one version; titles are new, since a patch that changes nothing writes nothing.
    requests: (server) =>
      server.drafts.map((id) => ({
        method: 'PATCH',
        path: `${collection(server)}/${id}`,
        body: JSON.stringify({ versionData: { title: 'Trellis renamed {number}' } }),
      })),
  },
];
