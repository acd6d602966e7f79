/**
 * A context with just the browser objects that the agent uses, to test its logic (what it stores, removes, sends and
 * returns) without a browser. What browsers really draw and measure is tested in a real one.
 */
import vm from 'node:vm';
import { buildAgent } from '@trellis/server/features/visitors/agent-build.ts';

/** A call of `fetch`, as the agent made it. */
export interface SentRequest {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
  readonly body: Record<string, unknown> & { readonly signals: Record<string, unknown> };
}

export interface Identification {
  readonly visitorId: string | null;
  readonly requestId: string | null;
  readonly confidence: { readonly score: number };
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface BrowserOptions {
  /** Attributes of the script element; null for a script that is no element (a module, or injected text). */
  readonly dataset?: Record<string, string> | null;
  readonly localStorage?: 'works' | 'throws' | 'full';
  readonly cookies?: 'work' | 'are ignored' | 'throw';
  readonly navigator?: Record<string, unknown>;
  /** Responds to requests; the default is a new visitor with a token. May never respond. */
  readonly respond?: (request: SentRequest) => Promise<Response> | Response;
  /** More globals, or others. */
  readonly globals?: Record<string, unknown>;
}

export const key = 'trl_pk_test';
const agent = buildAgent();

/** The response of an identify call. */
export function respondWith(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status });
}

/** Loads the agent into a page of `https://shop.example/a/b` and gives what the page and the test can reach. */
export function openPage(options: BrowserOptions = {}) {
  const stored = new Map<string, string>();
  const cookies = new Map<string, string>();
  const cookieTexts: string[] = [];
  const requests: SentRequest[] = [];
  const timers: { action: () => void; delayMs: number }[] = [];
  const fail = (): never => {
    throw new Error('SecurityError');
  };
  const respond =
    options.respond ??
    (() =>
      respondWith({
        visitorId: 'vis_1',
        requestId: 'req_1',
        confidence: { score: 0.5 },
        storedToken: 'token-1',
      }));

  const window: Record<string, unknown> = {};
  const globals: Record<string, unknown> = {
    window,
    URL,
    AbortController,
    location: {
      protocol: 'https:',
      origin: 'https://shop.example',
      pathname: '/a/b',
      href: 'https://shop.example/a/b',
    },
    navigator: {
      languages: ['de-DE', 'en'],
      maxTouchPoints: 5,
      platform: 'Linux',
      hardwareConcurrency: 8,
      ...options.navigator,
    },
    screen: { width: 1920, height: 1080, colorDepth: 24 },
    devicePixelRatio: 1.333333,
    document: {
      currentScript:
        options.dataset === null
          ? null
          : { src: 'https://trellis.example/agent.js', dataset: options.dataset ?? { key } },
      createElement: fail,
      get cookie() {
        if (options.cookies === 'throw') fail();
        return Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
      },
      set cookie(text: string) {
        if (options.cookies === 'throw') fail();
        cookieTexts.push(text);
        if (options.cookies === 'are ignored') return;
        const [name = '', value = ''] = (text.split(';', 1)[0] ?? '').split('=');
        if (/; Max-Age=0;/.test(text)) cookies.delete(name);
        else cookies.set(name, value);
      },
    },
    setTimeout: (action: () => void, delayMs: number) => timers.push({ action, delayMs }),
    clearTimeout: (number: number) => delete timers[number - 1],
    fetch: async (url: string, init: SentRequest['init']) => {
      const request = { url, init, body: JSON.parse(String(init.body)) };
      requests.push(request);
      const aborted = new Promise<never>((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(new Error('AbortError')));
      });
      return Promise.race([respond(request), aborted]);
    },
    ...options.globals,
  };
  const works = options.localStorage ?? 'works';
  Object.defineProperty(globals, 'localStorage', {
    get: () => {
      if (works === 'throws') fail();
      return {
        getItem: (name: string) => stored.get(name) ?? null,
        removeItem: (name: string) => stored.delete(name),
        setItem: (name: string, value: string) => (works === 'full' ? fail() : stored.set(name, value)),
      };
    },
  });
  vm.runInNewContext(agent.source, globals);
  const { identify } = window.Trellis as { identify: (given?: unknown) => Promise<Identification> };
  return { window, identify, stored, cookies, cookieTexts, requests, timers };
}

/** Lets pending work continue until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + 180_000;
  while (!condition()) {
    if (Date.now() > deadlineMs) throw new Error(`Never came to hold: ${condition}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
