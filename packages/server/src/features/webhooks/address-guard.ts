/**
 * Decides which addresses webhooks may connect to. A tenant chooses the URL, but this server is inside the operator's
 * network, beside databases, other services and the metadata of the cloud. So it connects only to public addresses and to
 * private ranges that the operator lists.
 *
 * The check applies to the address, not the name: the addresses that passed are handed to the socket, so a resolver that
 * responds differently the second time is not asked again.
 */
import { isIP } from 'node:net';
import { AddressRanges, embeddedIpv4, forbidden, special } from './address-ranges.ts';
import { createLookup, type Lookup } from './lookup.ts';

/** An address that may be connected to. */
interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** A URL with the addresses of its host, all of which may be connected to. */
export interface Destination {
  readonly url: URL;
  readonly addresses: readonly Address[];
}

/** The URL may never be called; the message is for the person who entered it. */
export class RefusedDestinationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedDestinationError';
  }
}

/** The name has no address now, or could not be resolved in time. */
export class UnresolvedNameError extends Error {
  constructor(cause?: unknown) {
    super('The host name could not be resolved.', { cause });
    this.name = 'UnresolvedNameError';
  }
}

export interface AddressGuardOptions {
  /** Private ranges that may be called, in CIDR notation; for them http is accepted as well. */
  readonly allowPrivate: readonly string[];
  /** Resolves names; DNS by default. */
  readonly lookup?: Lookup;
}

/** 'listed': private, but allowed by the operator. */
type Verdict = 'public' | 'listed' | 'refused';

/** The maximum number of addresses tried for a name. */
const maxAddresses = 8;
/** Lower ports belong to the protocols of other services, which a call must not reach. */
const firstFreePort = 1_024;
const webPorts: readonly number[] = [80, 443];

/** The setting of the operator, which the person who entered a private address has to know of. */
const howToAllow =
  'Only the operator of this server can allow private addresses, with the setting TRELLIS_WEBHOOK_ALLOW_PRIVATE.';

function describeRefused(address: string): string {
  // Metadata services and the like are never called.
  return isIP(address) === 0 || address.includes('%') || forbidden.has(address)
    ? 'The address is not public.'
    : `The address is not public. ${howToAllow}`;
}

export class AddressGuard {
  private readonly listed: AddressRanges;
  private readonly lookup: Lookup;

  /** @throws RangeError for a text that is not a CIDR range */
  constructor({ allowPrivate, lookup = createLookup() }: AddressGuardOptions) {
    this.listed = new AddressRanges(allowPrivate);
    this.lookup = lookup;
  }

  /**
   * The addresses that a URL leads to now.
   * @throws RefusedDestinationError when it, or any address of its name, may not be called; UnresolvedNameError
   */
  async resolve(text: string, signal: AbortSignal): Promise<Destination> {
    const url = parse(text);
    const literal = literalOf(url);
    const found = literal === null ? await this.find(url.hostname, signal) : [literal];
    const verdicts = found.map((address) => this.judge(address));
    if (verdicts.includes('refused')) {
      // Does not say which address: names must not reveal anything about this network.
      throw new RefusedDestinationError(
        literal === null
          ? `The host name resolves to an address that is not public. ${howToAllow}`
          : describeRefused(literal),
      );
    }
    if (verdicts.includes('public')) checkPublic(url);
    const addresses = found.slice(0, maxAddresses).map((address): Address => {
      return { address, family: isIP(address) === 6 ? 6 : 4 };
    });
    return { url, addresses };
  }

  /**
   * Checks a URL that a person enters: returns the fault, or null. A name without an address is accepted, since it does no
   * harm; it is resolved again for every delivery.
   */
  async findFault(text: string, signal: AbortSignal): Promise<string | null> {
    try {
      await this.resolve(text, signal);
      return null;
    } catch (error) {
      if (error instanceof RefusedDestinationError) return error.message;
      if (!(error instanceof UnresolvedNameError)) throw error;
      const url = parse(text);
      return url.protocol === 'https:' ? null : 'Must be an https address.';
    }
  }

  private async find(name: string, signal: AbortSignal): Promise<readonly string[]> {
    let found: readonly string[];
    try {
      found = await this.lookup(name, signal);
    } catch (error) {
      throw new UnresolvedNameError(error);
    }
    if (found.length === 0) throw new UnresolvedNameError();
    return found;
  }

  private judge(address: string): Verdict {
    // An address with a zone, such as fe80::1%eth0, is link-local.
    if (isIP(address) === 0 || address.includes('%')) return 'refused';
    const inner = embeddedIpv4(address);
    if (inner === 'refused') return 'refused';
    // ::ffff:10.0.0.1 is 10.0.0.1 in another notation; the target of a translated address must be public.
    if (inner !== null) {
      const verdict = this.judge(inner.address);
      return verdict === 'listed' && inner.translated ? 'refused' : verdict;
    }
    if (forbidden.has(address)) return 'refused';
    if (this.listed.has(address)) return 'listed';
    return special.has(address) ? 'refused' : 'public';
  }
}

/** Parses a URL. The WHATWG parser reads every notation of an IPv4 address (decimal, octal, hexadecimal, short). */
function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.hostname === '') {
    throw new RefusedDestinationError('Must be an absolute https address.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new RefusedDestinationError('Must not contain a user name or password.');
  }
  return url;
}

/** The IP address in the URL; null for a name. */
function literalOf({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return bare;
  // RFC 6761, 6.3: these names are the local machine, whatever a resolver says.
  return /(^|\.)localhost\.?$/.test(hostname) ? '127.0.0.1' : null;
}

function checkPublic({ protocol, port }: URL): void {
  if (protocol !== 'https:') throw new RefusedDestinationError('Must be an https address.');
  const number = port === '' ? 443 : Number(port);
  if (number < firstFreePort && !webPorts.includes(number)) {
    throw new RefusedDestinationError(`The port must be 80, 443 or at least ${firstFreePort}.`);
  }
}
