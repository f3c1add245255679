/** Counts the requests that get the same kind of change, and how they are distributed. */
import type { ReadEvent } from "./request";
import { shortened } from "./short";
import { formatBlock, parseBlock, unmapped } from "../access/access";
import { ipv4In, ipv6In } from "./addresses";

/** How the requests of a group are distributed. */
export const breakdowns = ["country", "api", "client", "agent", "network", "rule"] as const;

export type Breakdown = (typeof breakdowns)[number];

const mostText = 200;

export class Group {
  count = 0;
  /** Milliseconds since the epoch. */
  first = Infinity;
  last = -Infinity;
  readonly users = new Users();
  readonly by: Readonly<Record<Breakdown, Counter>> = {
    country: new Counter(),
    api: new Counter(),
    client: new Counter(),
    agent: new Counter(),
    network: new Counter(),
    rule: new Counter(),
  };

  /** `at`: NaN without a plausible time. `rule`: the key of the ACL that is the cause; empty: none. */
  add({ request, sender }: ReadEvent, at: number, rule: string): void {
    const { apis, ip, country, user_agent: header } = request!;
    this.count += 1;
    if (at < this.first) this.first = at;
    if (at > this.last) this.last = at;
    this.users.add(sender.user);
    const { by } = this;
    by.country.add(country ?? "");
    by.api.add(apis.join(" or "));
    by.client.add(shortened(sender.clientName ?? sender.client ?? "", mostText));
    by.agent.add(shortened(sender.agent ?? header ?? "", mostText));
    by.network.add((ip === undefined ? undefined : networkOf(ip)) ?? "");
    by.rule.add(rule);
  }

  merge(other: Group): void {
    this.count += other.count;
    this.first = Math.min(this.first, other.first);
    this.last = Math.max(this.last, other.last);
    this.users.merge(other.users);
    for (const name of breakdowns) this.by[name].merge(other.by[name]);
  }
}

/** The /24 of an IPv4 address, the /48 of an IPv6 address. undefined: not an address. */
export function networkOf(address: string): string | undefined {
  if (ipv4In(address) !== undefined) return `${address.slice(0, address.lastIndexOf("."))}.0/24`;
  const groups = ipv6In(address);
  if (groups !== undefined) return siteOf(groups);
  const parsed = parseBlock(address);
  if (!parsed) return undefined;
  const { family } = unmapped(parsed);
  return formatBlock(parseBlock(`${formatBlock(unmapped(parsed))}/${family === 4 ? 24 : 48}`)!);
}

/** The /48. Five groups of zeros always are the longest gap, so the zeros before them join it. */
function siteOf(groups: string): string {
  const [first, second, third] = [0, 1, 2].map((index) => groups.charCodeAt(index));
  const shown = third !== 0 ? [first, second, third] : second !== 0 ? [first, second] : [first];
  return `${shown.map((group) => group!.toString(16)).join(":")}::/48`;
}

/** Names that are kept apart. The rest is counted together. */
const mostNames = 2_000;

/** Counts by name, in bounded memory. */
export class Counter {
  /** Objects, so that a known name is looked up once. */
  readonly #counts = new Map<string, { count: number }>();
  #rest = 0;

  add(name: string, count = 1): void {
    const known = this.#counts.get(name);
    if (known) known.count += count;
    else if (this.#counts.size < mostNames) this.#counts.set(name, { count });
    else this.#rest += count;
  }

  /** The largest first. */
  top(most: number): { readonly shown: readonly (readonly [name: string, count: number])[]; readonly rest: number } {
    const counts = [...this.#counts].map(([name, { count }]) => [name, count] as const);
    const sorted = counts.toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
    const left = sorted.slice(most).reduce((sum, [, count]) => sum + count, this.#rest);
    return { shown: sorted.slice(0, most), rest: left };
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, { count }) => sum + count, this.#rest);
  }

  get(name: string): number {
    return this.#counts.get(name)?.count ?? 0;
  }

  merge(other: Counter): void {
    for (const [name, { count }] of other.#counts) this.add(name, count);
    this.#rest += other.#rest;
  }
}

const mostUsers = 50_000;

/** Different users. More than 50,000 are "at least 50,000". */
export class Users {
  readonly #ids = new Set<string>();
  #isMore = false;

  add(id: string | undefined): void {
    if (id === undefined || this.#isMore || this.#ids.has(id)) return;
    if (this.#ids.size < mostUsers) this.#ids.add(id);
    else this.#isMore = true;
  }

  get count(): number {
    return this.#ids.size;
  }

  get isMore(): boolean {
    return this.#isMore;
  }

  get ids(): readonly string[] {
    return [...this.#ids];
  }

  merge(other: Users): void {
    for (const id of other.#ids) this.add(id);
    if (other.#isMore) this.#isMore = true;
  }
}
