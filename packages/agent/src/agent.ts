/**
 * Why: this is the script that other people's pages load. It runs among code we do not know, so it touches nothing but
 * `window.Trellis`, throws nothing, keeps nothing against the visitor's will and speaks to our own server only.
 *
 *   <script src="https://trellis.example/agent.js" data-key="trl_pk_…"></script>
 *   const { visitorId, confidence } = await Trellis.identify({ consent: 'GRANTED' });
 *
 * `packages/server/src/visitors/agent-build.ts` takes the types and comments out when the server starts. For that, comments stand on
 * lines of their own and no template literal spans lines; the browsers' language is ES2020.
 */

type Consent = 'GRANTED' | 'DENIED' | 'UNKNOWN';

/** What a page may say; the attributes `data-key`, `data-endpoint` and `data-consent` say the same. */
interface Options {
  key?: string;
  endpoint?: string;
  consent?: string;
}

/** What identify answers. Either `visitorId` is a text and `error` null, or the other way round. */
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

  // Storage: the first of localStorage, a first-party cookie and memory that keeps what it is given.

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
    // Anything else was not put there by this script.
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

  // Signals: each is asked for by itself, and one that a browser does not tell is left out.

  /** Sixteen hexadecimal digits, in the manner of cyrb53: to compare by, not to keep a secret. */
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

  /** A browser that adds noise draws the same picture differently each time: it does not want to be recognized. */
  function canvasHash(): string | undefined {
    const picture = drawPicture();
    return picture && picture.length > 100 && picture === drawPicture() ? hash(picture) : undefined;
  }

  function webglHash(): string | undefined {
    const context = makeCanvas(1, 1).getContext('webgl');
    if (!context) return undefined;
    let vendor = context.getParameter(context.VENDOR);
    let renderer = context.getParameter(context.RENDERER);
    // Firefox tells the names themselves and warns of the extension in the page's console.
    const details = /^(WebKit|Mozilla)/.test(renderer) && context.getExtension('WEBGL_debug_renderer_info');
    if (details) {
      vendor = context.getParameter(details.UNMASKED_VENDOR_WEBGL);
      renderer = context.getParameter(details.UNMASKED_RENDERER_WEBGL);
    }
    // Browsers allow few contexts at once, and the page may want one.
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

  /** Of somebody who does not want to be recognized only that is asked which tells a tablet from a desktop computer. */
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
        // A browser may refuse any of them; the others still count.
      }
    }
    return signals;
  }

  function wait(milliseconds: number): Promise<undefined> {
    return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds));
  }

  // Identify.

  /** A consent we do not know is none. Global Privacy Control is a no to every page, whatever the page says. */
  function consentOf(given: unknown): Consent {
    const control = (navigator as Navigator & { globalPrivacyControl?: unknown }).globalPrivacyControl;
    if (control === true || control === '1') return 'DENIED';
    const consent = given === undefined || given === null ? 'UNKNOWN' : String(given).toUpperCase();
    return consent === 'GRANTED' || consent === 'UNKNOWN' ? consent : 'DENIED';
  }

  function failure(code: string, message: string): Identification {
    return { visitorId: null, requestId: null, confidence: { score: 0 }, error: { code, message } };
  }

  /** How often this page was told not to recognize: an answer that was asked for before must not be kept after. */
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
    const answer = (await response.json().catch(() => null)) || {};
    if (!response.ok) {
      const message = answer.detail || answer.title || `The server answered with status ${response.status}.`;
      return failure(String(answer.code || 'refused'), String(message));
    }
    if (typeof answer.visitorId !== 'string')
      return failure('invalid_answer', 'This was no answer of the endpoint.');
    const { storedToken, ...identification } = answer;
    // Without a token in the answer the server wants nothing kept either.
    if (storedToken && !isRefused && refusals === refusalsBefore) keepToken(String(storedToken));
    else forgetToken();
    return { confidence: { score: 0 }, ...identification, error: null };
  }

  /** Calls at the same time for the same thing share one answer: two would make one person two visitors. */
  const underWay = new Map<string, Promise<Identification>>();

  function identify(options?: Options): Promise<Identification> {
    return ask(options || {}).catch(() => failure('options_invalid', 'The options cannot be read.'));
  }

  async function ask(given: Options): Promise<Identification> {
    const key = String(given.key || attributes.key || '');
    const address = String(given.endpoint || attributes.endpoint || '/v1/visitors/identify');
    const endpoint = attempt(() => new URL(address, script?.src || location.href).href);
    const consent = consentOf(given.consent === undefined ? attributes.consent : given.consent);
    if (!key) return failure('key_missing', 'Give a key: data-key="trl_pk_..." or identify({ key: ... }).');
    if (!endpoint) return failure('endpoint_invalid', 'The endpoint is not an address.');
    const name = [key, endpoint, consent].join(' ');
    let answer = underWay.get(name);
    if (!answer) {
      answer = request(key, endpoint, consent);
      underWay.set(name, answer);
      answer.then(() => underWay.delete(name));
    }
    return answer;
  }

  /** Answers in any case, and in time. */
  function request(key: string, endpoint: string, consent: Consent): Promise<Identification> {
    const abort = new AbortController();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve(failure('timeout', `There was no answer in ${timeoutMs} ms.`));
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
