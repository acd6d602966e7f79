/**
 * The browser script that pages load to identify visitors. It runs in pages we do not control, so it defines nothing but
 * `window.Trellis`, never throws, stores nothing against the visitor's will and calls only our own server.
 *
 *   <script src="https://trellis.example/agent.js" data-key="trl_pk_…"></script>
 *   const { visitorId, confidence } = await Trellis.identify({ consent: 'GRANTED' });
 *
 * `packages/server/src/features/visitors/agent-build.ts` removes types and comments when the server starts. For that, comments are on lines of their
 * own and no template literal spans lines. The target is ES2020.
 */

type Consent = 'GRANTED' | 'DENIED' | 'UNKNOWN';

/** Options of a page; the attributes `data-key`, `data-endpoint` and `data-consent` have the same meaning. */
interface Options {
  key?: string;
  endpoint?: string;
  consent?: string;
}

/** The result of identify: either `visitorId` is a string and `error` is null, or the other way round. */
interface Identification {
  visitorId: string | null;
  requestId: string | null;
  confidence: { score: number };
  error: { code: string; message: string } | null;
}

type Signals = Record<string, string | number | string[]>;

(() => {
  const agentVersion = '1.0.0';
  const storageName = 'trellis_visitor';
  const storageSeconds = 90 * 24 * 3600;
  const timeoutMs = 5000;
  const audioTimeoutMs = 500;

  const script = document.currentScript as HTMLScriptElement | null;
  const attributes: DOMStringMap = script?.dataset || {};

  // Storage: the first of localStorage, a first-party cookie and memory that works.

  let memory: string | null = null;

  function attempt<Value>(action: () => Value): Value | undefined {
    try {
      return action();
    } catch {
      return undefined;
    }
  }

  function readCookie(): string | null {
    const match = new RegExp(`(?:^|; )${storageName}=([^;]*)`).exec(document.cookie);
    return match && (match[1] as string);
  }

  function writeCookie(value: string, seconds: number): void {
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = `${storageName}=${value}; Max-Age=${seconds}; Path=/; SameSite=Lax${secure}`;
  }

  function readToken(): string | undefined {
    const token = attempt(() => localStorage.getItem(storageName)) || attempt(readCookie) || memory;
    // Anything else was not written by this script.
    return token && /^[\w-]{1,256}$/.test(token) ? token : undefined;
  }

  function forgetToken(): void {
    memory = null;
    attempt(() => localStorage.removeItem(storageName));
    attempt(() => readCookie() !== null && writeCookie('', 0));
  }

  function keepToken(token: string): void {
    forgetToken();
    attempt(() => localStorage.setItem(storageName, token));
    if (attempt(() => localStorage.getItem(storageName)) === token) return;
    attempt(() => writeCookie(token, storageSeconds));
    if (attempt(readCookie) !== token) memory = token;
  }

  // Signals: each is collected separately, and absent when the browser does not disclose it.

  /** Sixteen hexadecimal digits, similar to cyrb53: for comparison, not for secrecy. */
  function hash(text: string): string {
    let first = 0xdeadbeef;
    let second = 0x41c6ce57;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      first = Math.imul(first ^ code, 2654435761);
      second = Math.imul(second ^ code, 1597334677);
    }
    const mixedFirst =
      Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909);
    const mixedSecond =
      Math.imul(second ^ (second >>> 16), 2246822507) ^
      Math.imul(mixedFirst ^ (mixedFirst >>> 13), 3266489909);
    return toHex(mixedFirst) + toHex(mixedSecond);
  }

  function toHex(number: number): string {
    return (number >>> 0).toString(16).padStart(8, '0');
  }

  function wholeNumber(value: unknown, maximum: number): number | undefined {
    return typeof value === 'number' && value >= 0 && value <= maximum ? Math.round(value) : undefined;
  }

  function plainText(value: unknown): string | undefined {
    return typeof value === 'string' && /^[ -~]{1,64}$/.test(value) ? value : undefined;
  }

  function makeCanvas(width: number, height: number): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    return canvas;
  }

  function drawPicture(): string | undefined {
    const canvas = makeCanvas(240, 60);
    const context = canvas.getContext('2d');
    if (!context) return undefined;
    context.textBaseline = 'alphabetic';
    context.fillStyle = '#f60';
    context.fillRect(100, 1, 62, 20);
    context.fillStyle = '#069';
    context.font = '11pt "Times New Roman"';
    context.fillText('Trellis climbs, \ud83c\udf3f vexing quartz', 2, 15);
    context.fillStyle = 'rgba(102, 204, 0, 0.2)';
    context.font = '18pt Arial';
    context.fillText('Trellis climbs, \ud83c\udf3f', 4, 45);
    context.globalCompositeOperation = 'multiply';
    ['#f2f', '#2ff', '#ff2'].forEach((color, index) => {
      context.fillStyle = color;
      context.beginPath();
      context.arc(180 + index * 12, 30, 14, 0, Math.PI * 2, true);
      context.fill();
    });
    return canvas.toDataURL();
  }

  /** Browsers that add noise draw the picture differently each time, and their users do not want to be recognized. */
  function canvasHash(): string | undefined {
    const picture = drawPicture();
    return picture && picture.length > 100 && picture === drawPicture() ? hash(picture) : undefined;
  }

  function webglHash(): string | undefined {
    const context = makeCanvas(1, 1).getContext('webgl');
    if (!context) return undefined;
    let vendor = context.getParameter(context.VENDOR);
    let renderer = context.getParameter(context.RENDERER);
    // Firefox discloses the names itself and logs a warning about the extension.
    const details = /^(WebKit|Mozilla)/.test(renderer) && context.getExtension('WEBGL_debug_renderer_info');
    if (details) {
      vendor = context.getParameter(details.UNMASKED_VENDOR_WEBGL);
      renderer = context.getParameter(details.UNMASKED_RENDERER_WEBGL);
    }
    // Browsers allow few contexts at once, and the page may need one.
    const release = context.getExtension('WEBGL_lose_context');
    if (release) release.loseContext();
    return hash(`${vendor}\n${renderer}`);
  }

  function fontsHash(): string | undefined {
    const context = makeCanvas(1, 1).getContext('2d');
    if (!context) return undefined;
    const measure = (family: string) => {
      context.font = `72px ${family}`;
      return context.measureText('mmMwWLliI0O&1').width;
    };
    const bases = ['monospace', 'serif', 'sans-serif'].map((base) => ({ base, width: measure(base) }));
    const fonts =
      'Agency FB,Arial,Arial Black,Avenir,Bahnschrift,Baskerville,Calibri,Cambria,Candara,Cantarell,Comic Sans MS,' +
      'Consolas,Constantia,Courier New,DejaVu Sans,Didot,Franklin Gothic,Futura,Gadugi,Garamond,Geneva,Georgia,' +
      'Gill Sans,Helvetica,Helvetica Neue,Hiragino Sans,Impact,Leelawadee,Liberation Sans,Lucida Grande,Malgun Gothic,' +
      'Menlo,Meiryo,Monaco,MS Gothic,Noto Sans,Open Sans,Optima,Palatino,PingFang SC,Roboto,Segoe UI,SimSun,' +
      'Source Code Pro,Tahoma,Times New Roman,Trebuchet MS,Ubuntu,Verdana,Yu Gothic';
    const found = fonts
      .split(',')
      .filter((font) => bases.some(({ base, width }) => measure(`"${font}",${base}`) !== width));
    return hash(found.join());
  }

  async function audioHash(): Promise<string | undefined> {
    const context = new OfflineAudioContext(1, 5000, 44100);
    const oscillator = context.createOscillator();
    oscillator.type = 'triangle';
    oscillator.frequency.value = 10000;
    const compressor = context.createDynamicsCompressor();
    oscillator.connect(compressor);
    compressor.connect(context.destination);
    oscillator.start(0);
    const samples = (await context.startRendering()).getChannelData(0);
    let sum = 0;
    for (let index = 4500; index < samples.length; index += 1) sum += Math.abs(samples[index] || 0);
    return hash(sum.toFixed(3));
  }

  function mathHash(): string {
    return hash(
      [
        Math.acosh(1e308),
        Math.asinh(1e-5),
        Math.atanh(0.5),
        Math.cbrt(100),
        Math.cos(21 * Math.LN2),
        Math.cosh(10),
        Math.exp(100),
        Math.expm1(10),
        Math.log1p(10),
        Math.PI ** -100,
        Math.sin(-1e300),
        Math.sinh(492 * Math.LOG2E),
        Math.tan(-1e300),
        Math.tanh(0.5),
      ].join(),
    );
  }

  function languages(): string[] {
    const listed: readonly unknown[] = navigator.languages || [navigator.language];
    const tags = listed.filter((one): one is string => typeof one === 'string');
    return tags.filter((tag) => /^[A-Za-z0-9-]{1,35}$/.test(tag)).slice(0, 16);
  }

  /**
   * For visitors who refuse to be recognized, only the signal that distinguishes tablets from desktops is collected.
   */
  async function collectSignals(isRefused: boolean): Promise<Signals> {
    const device = navigator as Navigator & { deviceMemory?: number };
    const sources: Record<string, () => Signals[string] | undefined | Promise<Signals[string] | undefined>> =
      {
        touchPoints: () => wholeNumber(device.maxTouchPoints, 256),
      };
    if (!isRefused) {
      Object.assign(sources, {
        screenWidth: () => wholeNumber(screen.width, 65535),
        screenHeight: () => wholeNumber(screen.height, 65535),
        colorDepth: () => wholeNumber(screen.colorDepth, 128),
        pixelRatio: () => (devicePixelRatio <= 100 ? Math.round(devicePixelRatio * 100) / 100 : undefined),
        timezone: () => plainText(Intl.DateTimeFormat().resolvedOptions().timeZone),
        languages,
        platform: () => plainText(device.platform),
        hardwareConcurrency: () => wholeNumber(device.hardwareConcurrency, 65535),
        deviceMemory: () => (Number(device.deviceMemory) <= 1024 ? device.deviceMemory : undefined),
        canvasHash,
        webglHash,
        fontsHash,
        audioHash: () => Promise.race([audioHash(), wait(audioTimeoutMs)]),
        mathHash,
      });
    }
    const signals: Signals = {};
    for (const name of Object.keys(sources)) {
      try {
        const source = sources[name];
        const value = source && (await source());
        if (value !== undefined) signals[name] = value;
      } catch {
        // A browser may refuse any of them; the others are still used.
      }
    }
    return signals;
  }

  function wait(milliseconds: number): Promise<undefined> {
    return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds));
  }

  // Identify.

  /** An unknown consent counts as none. Global Privacy Control overrides what the page says. */
  function consentOf(given: unknown): Consent {
    const control = (navigator as Navigator & { globalPrivacyControl?: unknown }).globalPrivacyControl;
    if (control === true || control === '1') return 'DENIED';
    const consent = given === undefined || given === null ? 'UNKNOWN' : String(given).toUpperCase();
    return consent === 'GRANTED' || consent === 'UNKNOWN' ? consent : 'DENIED';
  }

  function failure(code: string, message: string): Identification {
    return { visitorId: null, requestId: null, confidence: { score: 0 }, error: { code, message } };
  }

  /** How often this page refused recognition: a response requested before a refusal must not be stored after it. */
  let refusals = 0;

  async function exchange(
    key: string,
    endpoint: string,
    consent: Consent,
    signal: AbortSignal,
  ): Promise<Identification> {
    const isRefused = consent === 'DENIED';
    if (isRefused) {
      refusals += 1;
      forgetToken();
    }
    const refusalsBefore = refusals;
    const body = {
      agentVersion,
      storedToken: isRefused ? undefined : readToken(),
      signals: await collectSignals(isRefused),
      consent,
      page: { origin: location.origin, path: location.pathname.slice(0, 1024) },
    };
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Client-Key': key },
      body: JSON.stringify(body),
      mode: 'cors',
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'origin',
      signal,
    });
    const reply = (await response.json().catch(() => null)) || {};
    if (!response.ok) {
      const message = reply.detail || reply.title || `The server responded with status ${response.status}.`;
      return failure(String(reply.code || 'refused'), String(message));
    }
    if (typeof reply.visitorId !== 'string')
      return failure('invalid_response', 'The endpoint returned an unexpected body.');
    const { storedToken, ...identification } = reply;
    // A response without a token means that nothing may be stored.
    if (storedToken && !isRefused && refusals === refusalsBefore) keepToken(String(storedToken));
    else forgetToken();
    return { confidence: { score: 0 }, ...identification, error: null };
  }

  /** Concurrent calls with the same options share one response; otherwise one person could become two visitors. */
  const pending = new Map<string, Promise<Identification>>();

  function identify(options?: Options): Promise<Identification> {
    return ask(options || {}).catch(() => failure('options_invalid', 'The options cannot be read.'));
  }

  async function ask(given: Options): Promise<Identification> {
    const key = String(given.key || attributes.key || '');
    const address = String(given.endpoint || attributes.endpoint || '/v1/visitors/identify');
    const endpoint = attempt(() => new URL(address, script?.src || location.href).href);
    const consent = consentOf(given.consent === undefined ? attributes.consent : given.consent);
    if (!key)
      return failure('key_missing', 'No key: set data-key="trl_pk_..." or call identify({ key: ... }).');
    if (!endpoint) return failure('endpoint_invalid', 'The endpoint is not a valid URL.');
    const name = [key, endpoint, consent].join(' ');
    let result = pending.get(name);
    if (!result) {
      result = request(key, endpoint, consent);
      pending.set(name, result);
      result.then(() => pending.delete(name));
    }
    return result;
  }

  /** Always settles, and in time. */
  function request(key: string, endpoint: string, consent: Consent): Promise<Identification> {
    const abort = new AbortController();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve(failure('timeout', `No response within ${timeoutMs} ms.`));
        abort.abort();
      }, timeoutMs);
      exchange(key, endpoint, consent, abort.signal)
        .catch(() => failure('network', 'The endpoint could not be reached.'))
        .then((identification) => {
          clearTimeout(timer);
          resolve(identification);
        });
    });
  }

  attempt(() => Object.assign(window, { Trellis: Object.freeze({ identify, version: agentVersion }) }));
})();
