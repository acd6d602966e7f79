/**
 * The attacks of a hostile tenant with valid tokens. Each ingredient is one kind of request, sent by a few connections
 * at a bounded rate, and can be selected by its name.
 */
import { randomInt, randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import { connect } from 'node:net';
import { type Received, send, type Target } from './client.ts';

/** A connection of an ingredient, and its dependencies. */
interface Attack {
  readonly target: Target;
  readonly agent: Agent;
  /** Number of this connection within its ingredient, from 0. */
  readonly connection: number;
  /** Ids of articles of the hostile organization. */
  readonly articles: readonly string[];
}

export interface Ingredient {
  readonly name: string;
  /** Connections that send it at the same time. */
  readonly connections: number;
  /** A connection begins its next request no sooner than this after the last one began, in ms. */
  readonly everyMs: number;
  /** Sends one request, or a short sequence; the status of the last one is counted. */
  readonly attack: (attack: Attack) => Promise<Pick<Received, 'status'>>;
}

/** Almost as many bytes as a JSON body may have. */
const nearlyFull = 1_048_576 - 2_048;

/** Words with accents, which search has to fold: `é` takes two bytes. */
export function accentedText(bytes: number): string {
  const words = ['état', 'Übergröße', 'façade', 'naïveté', 'señor', 'crème', 'brûlée', 'Ångström', 'œuvre'];
  const parts: string[] = [];
  for (let length = 0; length < bytes; ) {
    const word = words[parts.length % words.length] ?? '';
    parts.push(word);
    length += Buffer.byteLength(word) + 1;
  }
  return parts.join(' ');
}

/** Plain text with the most common words, of about so many bytes. */
export function plainText(bytes: number): string {
  return 'the art of the garden and the house of letters '.repeat(Math.ceil(bytes / 47)).slice(0, bytes);
}

const articlesOf = ({ site }: Target) => `/v1/sites/${site}/articles`;

const get = ({ target, agent }: Attack, path: string) => send(target, agent, { method: 'GET', path });
const post = ({ target, agent }: Attack, path: string, body: unknown) =>
  send(target, agent, {
    method: 'POST',
    path,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** Made once: making it again for each request would cost the generator more than the server. */
const bodies = {
  // Each character costs six bytes as an escape: parsing works for 1 MiB, the text has half.
  escaped: JSON.stringify({ versionData: { title: 'Escaped', body: '?' } }).replace(
    '?',
    '\\u00e9'.repeat(Math.floor(nearlyFull / 6)),
  ),
  large: JSON.stringify({ versionData: { title: 'Large', body: accentedText(520_000) } }),
  unknownFields: JSON.stringify(
    Object.fromEntries(Array.from({ length: 40_000 }, (_, number) => [`field${number}`, number])),
  ),
  wrongItems: `{"title":"Items","contributors":[${'{},'.repeat(300_000)}{}]}`,
  manyItems: `{"title":"Items","contributors":[${'1,'.repeat(400_000)}1]}`,
  marks: JSON.stringify({ title: `a${'\u0300\u0316'.repeat(20_000)}` }),
  faultyPatch: JSON.stringify({ versionData: { body: `a${'\u0300\u0316'.repeat(20_000)}` } }),
};

/** Begins a request on a new connection and does not read the response; the connection is closed after `holdMs`. */
function sendUnread({ target }: Attack, path: string, holdMs: number): Promise<{ status: number }> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const end = (status: number) => {
      socket.destroy();
      resolve({ status });
    };
    socket.on('error', () => end(0));
    socket.on('connect', () => {
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${target.token}\r\n\r\n`);
      setTimeout(() => end(200), holdMs);
    });
  });
}

const contactFilters = [
  'ownerUserId=user_01h455vb4pex5vsknk084sn02q',
  'companyId=com_01h455vb4pex5vsknk084sn02q',
  'tag=newsletter',
  'lifecycleStage=LEAD',
  'leadStatus=OPEN',
  'email=ada@example.com',
  'phone=%2B49301234567',
  'externalId=none',
  'updatedSince=2026-01-01T00:00:00Z',
];
const contactSorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'displayName', '-displayName'];

/** The query of a shape of lists of contacts, counted from 0: each subset of the filters in each order is another statement. */
function contactShape(number: number): string {
  const subset = number % 2 ** contactFilters.length;
  const sort = contactSorts[Math.floor(number / 2 ** contactFilters.length) % contactSorts.length];
  return [`sort=${sort}`, ...contactFilters.filter((_, bit) => (subset >> bit) & 1)].join('&');
}

async function walk(attack: Attack): Promise<Received> {
  const first = `${articlesOf(attack.target)}?limit=100&fields=versionData.title&sort=updatedAt`;
  let path = first;
  let page = await get(attack, path);
  for (let pages = 1; pages < 20 && page.status === 200; pages += 1) {
    const { nextCursor } = JSON.parse(page.text).pageInfo;
    if (nextCursor === null) break;
    path = `${first}&cursor=${nextCursor}`;
    page = await get(attack, path);
  }
  return page;
}

async function upload(attack: Attack): Promise<Received> {
  const created = await post(attack, '/v1/knowledge-files', { name: 'Upload' });
  if (created.status !== 201) return created;
  return send(attack.target, attack.agent, {
    method: 'PUT',
    path: `/v1/knowledge-files/${JSON.parse(created.text).id}/content`,
    body: Buffer.from(plainText(2_000_000)),
    contentType: 'text/plain',
  });
}

async function createEndpoint(attack: Attack): Promise<Received> {
  const url = `https://example.com/${randomUUID()}`;
  const created = await post(attack, '/v1/webhook-endpoints', { url, eventTypes: ['*'] });
  if (created.status !== 201) return created;
  const path = `/v1/webhook-endpoints/${JSON.parse(created.text).id}`;
  return send(attack.target, attack.agent, { method: 'DELETE', path });
}

let nextShape = 0;

export const ingredients: readonly Ingredient[] = [
  {
    name: 'unread-pages',
    connections: 20,
    everyMs: 2_000,
    attack: (attack) => sendUnread(attack, `${articlesOf(attack.target)}?limit=100`, 1_500),
  },
  {
    name: 'accented-search',
    connections: 4,
    everyMs: 200,
    attack: (attack) => get(attack, `${articlesOf(attack.target)}/search?query=facade&limit=20`),
  },
  {
    name: 'large-writes',
    connections: 6,
    everyMs: 300,
    attack: (attack) =>
      post(attack, articlesOf(attack.target), attack.connection % 2 === 0 ? bodies.escaped : bodies.large),
  },
  {
    name: 'many-faults',
    connections: 4,
    everyMs: 300,
    attack: (attack) =>
      post(attack, '/v1/books', attack.connection % 2 === 0 ? bodies.unknownFields : bodies.wrongItems),
  },
  {
    name: 'long-arrays',
    connections: 4,
    everyMs: 300,
    attack: (attack) => post(attack, '/v1/books', bodies.manyItems),
  },
  {
    name: 'combining-marks',
    connections: 2,
    everyMs: 500,
    attack: (attack) =>
      attack.connection % 2 === 0
        ? post(attack, '/v1/books', bodies.marks)
        : send(attack.target, attack.agent, {
            method: 'PATCH',
            path: `${articlesOf(attack.target)}/${attack.articles[0]}`,
            body: bodies.faultyPatch,
          }),
  },
  {
    name: 'common-words',
    connections: 10,
    everyMs: 100,
    attack: (attack) =>
      get(
        attack,
        attack.connection % 2 === 0
          ? `${articlesOf(attack.target)}/search?query=the&limit=100`
          : `${articlesOf(attack.target)}?search=the&limit=100&fields=versionData.title`,
      ),
  },
  { name: 'deep-cursors', connections: 6, everyMs: 200, attack: walk },
  {
    name: 'event-streams',
    connections: 20,
    everyMs: 1_000,
    attack: (attack) => sendUnread(attack, '/v1/events/stream', randomInt(100, 900)),
  },
  { name: 'uploads', connections: 4, everyMs: 400, attack: upload },
  { name: 'webhooks', connections: 4, everyMs: 200, attack: createEndpoint },
  {
    name: 'many-connections',
    connections: 100,
    everyMs: 200,
    attack: (attack) => get(attack, `${articlesOf(attack.target)}?limit=5&fields=versionData.title`),
  },
  {
    name: 'one-record',
    connections: 30,
    everyMs: 100,
    attack: (attack) =>
      send(attack.target, attack.agent, {
        method: 'PATCH',
        path: `${articlesOf(attack.target)}/${attack.articles[1]}`,
        body: JSON.stringify({ versionData: { title: `Title ${randomUUID()}` } }),
      }),
  },
  {
    // Unknown accounts from ever new networks, so that no delay and no limit of a network holds it up.
    name: 'sign-ins',
    connections: 20,
    everyMs: 50,
    attack: ({ target, agent }) =>
      send(target, agent, {
        method: 'POST',
        path: '/auth/password',
        pageIn: `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
        body: JSON.stringify({ email: `${randomUUID()}@example.com`, password: 'one of very many guesses' }),
      }),
  },
  {
    name: 'list-shapes',
    connections: 8,
    everyMs: 40,
    attack: (attack) => get(attack, `/v1/crm/contacts?${contactShape(nextShape++)}`),
  },
];

/** The ingredients of these names, in the order of the list. @throws Error naming one that does not exist */
export function chooseIngredients(names: readonly string[]): readonly Ingredient[] {
  const unknown = names.find((name) => !ingredients.some((ingredient) => ingredient.name === name));
  if (unknown !== undefined) throw new Error(`there is no ingredient "${unknown}"`);
  return ingredients.filter(({ name }) => names.includes(name));
}
