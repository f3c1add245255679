/** Evaluates the tenant's network ACLs for a request, independently of the analysis that judges plans. */
import { BlockList, isIP, isIPv4 } from "node:net";
import type { Match, Rule } from "../api/network-acl-rule";
import type { NetworkAcl } from "../api/network-acls";
import type { Origin } from "./origin";

export interface Decision {
  readonly outcome: "allowed" | "blocked" | "redirected";
  /** The ACL that decides; absent if none matches. */
  readonly by?: NetworkAcl;
  /** The ACLs that log the request. */
  readonly logged: readonly NetworkAcl[];
}

/** The scopes that cover a path. */
function scopesOf(path: string): readonly string[] {
  if (/^\/(api\/v2|scim)(\/|$)/.test(path)) return ["tenant", "management"];
  const registers = /^\/oidc\/register\/?$/.test(path);
  return ["tenant", "authentication", ...(registers ? ["dynamic_client_registration"] : [])];
}

/** Turns an IPv4 address that is written as an IPv6 one, in any spelling, into the IPv4 address. */
function plain(address: string): string {
  if (isIPv4(address)) return address;
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low].flatMap((half) => [parseInt(half, 16) >> 8, parseInt(half, 16) & 0xff]).join(".");
}

const familyOf = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6");

/** A list for each family, because BlockList would also match IPv4 addresses with blocks of IPv6. */
function listsOf(blocks: readonly unknown[]) {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const block of blocks) {
    const [first = "", length] = String(block).split("/");
    if (!isIP(first)) continue;
    const family = familyOf(first);
    if (length === undefined) lists[family].addAddress(first, family);
    else lists[family].addSubnet(first, Number(length), family);
  }
  return lists;
}

function isWithin(blocks: readonly unknown[], given: string | undefined): boolean {
  if (given === undefined) return false;
  const address = plain(given);
  const family = familyOf(address);
  return listsOf(blocks)[family].check(address, family);
}

const host = (name: string) => name.toLowerCase().replace(/\.$/, "");

/** Whether a signal with these entries matches a request. */
const matchers: Record<string, (entries: readonly unknown[], origin: Origin) => boolean> = {
  asns: (entries, { asn }) => asn !== undefined && entries.map(String).includes(asn),
  geo_country_codes: (entries, { country }) => entries.includes(country),
  geo_subdivision_codes: (entries, { subdivision }) => entries.includes(subdivision),
  ja3_fingerprints: (entries, { ja3 }) => entries.includes(ja3),
  ja4_fingerprints: (entries, { ja4 }) => entries.includes(ja4),
  // Assumption: an entry of `user_agents` matches only an equal header, letter by letter.
  user_agents: (entries, { user_agent }) => entries.includes(user_agent),
  hostnames: (entries, { hostname }) =>
    hostname !== undefined && entries.map(String).map(host).includes(host(hostname)),
  auth0_managed: (entries, { managed = [] }) => managed.some((name) => entries.includes(name)),
  http_message_signature: (entries, { signature_keys = [] }) => signature_keys.some((id) => entries.includes(id)),
  ip: (entries, { ip }) => isWithin(entries, ip),
  connecting_ip: (entries, { connecting_ip }) => isWithin(entries, connecting_ip),
};

/** The lists of IPv4 and IPv6 blocks are one signal. Assumption: the two lists of connecting hosts are also one signal. */
const joined: Record<string, string> = {
  ipv4_cidrs: "ip",
  ipv6_cidrs: "ip",
  connecting_ipv4_cidrs: "connecting_ip",
  connecting_ipv6_cidrs: "connecting_ip",
};

/** The entries of each signal. */
function signalsOf(match: Match = {}): ReadonlyMap<string, readonly unknown[]> {
  const signals = new Map<string, readonly unknown[]>();
  for (const [property, value] of Object.entries(match)) {
    const name = joined[property] ?? property;
    const entries =
      property === "http_message_signature" ? (value as { keys: { id: string }[] }).keys.map(({ id }) => id) : value;
    signals.set(name, [...(signals.get(name) ?? []), ...(entries as unknown[])]);
  }
  return signals;
}

function matches({ scope, match, not_match, match_all }: Rule, path: string, origin: Origin): boolean {
  if (!scopesOf(path).includes(scope)) return false;
  const isMet = ([name, entries]: readonly [string, readonly unknown[]]) => matchers[name]?.(entries, origin) ?? false;
  if (match_all) return true;
  return [...signalsOf(match)].every(isMet) && ![...signalsOf(not_match)].some(isMet);
}

const outcomes = { allow: "allowed", block: "blocked", redirect: "redirected" } as const;

export function decide(acls: readonly NetworkAcl[], path: string, origin: Origin): Decision {
  const logged: NetworkAcl[] = [];
  for (const acl of acls.filter(({ active }) => active).toSorted((a, b) => a.priority - b.priority)) {
    if (!matches(acl.rule, path, origin)) continue;
    const action = (["allow", "block", "redirect"] as const).find((name) => acl.rule.action[name]);
    if (action) return { outcome: outcomes[action], by: acl, logged };
    logged.push(acl);
  }
  return { outcome: "allowed", logged };
}
