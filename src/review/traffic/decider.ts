/**
 * Decides what happens to a logged request after a change of network ACLs and limits.
 *
 * What is in a log got through: before the change, an `allow` or no ACL decided. This is evidence about the attributes that the log lacks.
 * The example has a request from 203.0.113.7 in the log, which does not show the AS number:
 *
 *     before                                after                      the request
 *     1 allow AS 64500, 2 block all         2 block all                surely blocked: nothing else decides it
 *     1 block AS 64500                      1 block AS 64500           surely let in: it would have been blocked before
 *     (none)                                1 block AS 64500           not decidable: it may come from AS 64500
 */
import { BlockList, isIP } from "node:net";
import {
  criteriaOf,
  decide,
  factNames,
  parseBlock,
  rowOf,
  sides,
  signalsOf,
  type AccessRequest,
  type Acl,
  precedes,
} from "../../judge/access/access";
import type { LoggedName, LoggedRequest } from "./request";

/** An ACL with the key that it has before and after the change. */
export type KeyedAcl = Acl & { readonly key: string };

export interface Sides extends Readonly<Record<"before" | "after", readonly KeyedAcl[]>> {
  readonly policies: Policies;
}

export interface Decision extends Omit<LimitDecision, "by"> {
  /** The ACL that blocks or redirects it, or the name of the policy. */
  readonly by?: KeyedAcl | string | undefined;
  /** The ACLs that newly block or redirect it, surely or possibly. */
  readonly deniedBy: readonly KeyedAcl[];
  /** Whether the ACLs before the change block it, although it is in the log: the tenant had other ACLs then. */
  readonly isContradicted: boolean;
}

/** Decisions that are remembered. Requests with the same attributes in all rules have one decision. */
const mostRemembered = 20_000;

export type Decider = (request: LoggedRequest) => Decision;
type Pass = { readonly by?: Acl };

export function createDecider(given: Sides): Decider {
  const used = usedBy(given);
  const addressClass = addressClasses(given);
  const hasLimits = given.policies.before.length + given.policies.after.length > 0;
  const known = new Map<string, Decision>();
  return (request) => {
    let key = `${request.apis.join()} ${(hasLimits && request.client) || ""}`;
    for (const name of used)
      key += `\n${rowOf(name).kind === "address" ? addressClass(request[name]) : (request[name] ?? "")}`;
    const found = known.get(key);
    if (found) return found;
    if (known.size >= mostRemembered) known.clear();
    const made = decided(request, given);
    known.set(key, made);
    return made;
  };
}

/** The attributes that rules name and events have. */
export const usedBy = ({ before, after }: Sides): LoggedName[] => {
  const named = new Set([...before, ...after].flatMap(propertiesOf));
  return factNames.filter(
    (name): name is LoggedName => rowOf(name).logged !== undefined && signalsOf(name).some((one) => named.has(one)),
  );
};

const propertiesOf = ({ rule }: Acl): readonly string[] =>
  sides.flatMap((side) => criteriaOf(rule, side).flatMap(({ properties }) => properties));

/** Gives addresses that are in the same lists of the rules the same text, so that few requests are decided. */
function addressClasses({ before, after }: Sides): (address: string | undefined) => string {
  const criteria = [...before, ...after].flatMap(({ rule }) => sides.flatMap((side) => criteriaOf(rule, side)));
  const named = criteria.filter(({ properties }) => properties.some((one) => one.endsWith("_cidrs")));
  const lists = named.map(({ texts }) => listOf(texts));
  return (address = "") => {
    // An address that stands for one of the other family is decided by itself.
    if (address === "" || address.startsWith("::") || lists.includes(undefined)) return address;
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    return lists.map((list) => (list!.check(address, family) ? "1" : "0")).join("");
  };
}

/** Returns undefined if an entry is no block, or stands for one of the other family. */
function listOf(texts: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const text of texts) {
    const block = parseBlock(text);
    if (!block || text.startsWith("::")) return undefined;
    list.addSubnet(text.replace(/\/.*/, ""), block.length, `ipv${block.family}`);
  }
  return list;
}

function decided(request: LoggedRequest, given: Sides): Decision {
  const all = request.apis.map((api) => decidedFor({ ...request, api } as AccessRequest, given, request.client));
  const [first] = all;
  if (all.every(({ outcome, by }) => outcome === first!.outcome && by === first!.by)) return first!;
  const isContradicted = all.every((one) => one.isContradicted);
  const lacks = [...new Set(["API", ...all.flatMap((one) => one.lacks)])];
  const deniedBy = [...new Set(all.flatMap((one) => one.deniedBy))];
  return { outcome: "not decidable", deniedBy, lacks, isContradicted };
}

function decidedFor(request: AccessRequest, given: Sides, client: string | undefined): Decision {
  const passes = decide(given.before, request).endings.filter(({ outcome }) => outcome === "allowed");
  const isContradicted = passes.length === 0;
  const endings = decide(given.after, request).endings.filter(
    ({ outcome, by }) => isContradicted || outcome === "allowed" || by === undefined || !isRuledOut(by, passes, given),
  );
  // The plan does not change that they block it.
  const deniedBy = isContradicted
    ? []
    : [...new Set(endings.flatMap(({ outcome, by }) => (outcome === "allowed" || !by ? [] : by)))];
  const about = { deniedBy, isContradicted };
  const isAllowed = endings.some(({ outcome }) => outcome === "allowed");
  if (isAllowed && endings.some(({ outcome }) => outcome !== "allowed"))
    return { outcome: "not decidable", lacks: lackedBy(endings, request), ...about };
  if (isAllowed) {
    const limited = request.api === "management" ? undefined : limitDecision(given.policies, client);
    return { outcome: "let in", lacks: [], ...about, ...limited };
  }
  const isRedirected = endings.every(({ outcome }) => outcome === "redirected");
  const by = endings.length === 1 ? endings[0]!.by : undefined;
  return { outcome: isRedirected ? "redirected" : "blocked", by, lacks: [], ...about };
}

/** Whether an ACL that denies was there before, behind the same ACLs that may have let the request through. */
function isRuledOut(denying: KeyedAcl, passes: readonly Pass[], { before, after }: Sides): boolean {
  const was = before.find((acl) => isSame(acl, denying));
  if (!was) return false;
  const ahead = passes.flatMap(({ by }) => (by && !precedes(was, by) ? [by] : []));
  return ahead.every((pass) => after.some((acl) => isSame(acl, pass) && precedes(acl, denying)));
}

const isSame = (one: Acl, other: Acl): boolean =>
  one === other || (one.key === other.key && one.active && other.active && textOf(one) === textOf(other));

/** A value that is not known equals no value. */
const textOf = ({ rule }: Acl) =>
  JSON.stringify(rule, (_, value: unknown) => (typeof value === "symbol" ? ["not known"] : value));

/** The attributes that the rules name and the request lacks. */
function lackedBy(endings: readonly Pass[], request: AccessRequest): string[] {
  const named = new Set(endings.flatMap(({ by }) => (by ? propertiesOf(by) : [])));
  const unread = factNames.filter((name) => name !== "path" && request[name] === undefined);
  const facts = unread.filter((name) => Object.keys(rowOf(name).criteria).some((one) => named.has(one)));
  if (facts.length > 0) return facts.map((name) => rowOf(name).noun);
  return [named.has("user_agents") ? "user agent as Auth0 compares it" : "values that the plan does not know yet"];
}

// What changed rate limit policies do to a logged request of an application. Only a limit of 0 decides a single request: a log does not have
// all requests, so it does not show whether another limit is reached.

interface LimitDecision {
  readonly outcome: "blocked" | "redirected" | "let in" | "not decidable";
  /** The name of the policy. Undefined if there is none, or there are several. */
  readonly by?: string;
  /** What the log lacks to decide it. */
  readonly lacks: readonly string[];
}

/** A policy, with the action and the limit that Auth0 applies. Undefined: not known yet. */
export interface LoggedPolicy {
  readonly name: string;
  readonly selector: string | undefined;
  readonly action: string | undefined;
  readonly limit: number | undefined;
}

type Policies = Readonly<Record<"before" | "after", readonly LoggedPolicy[]>>;

const letIn: LimitDecision = { outcome: "let in", lacks: [] };

/** Applications with a Client ID Metadata Document have its URL as client id. */
const isUrl = (client: string) => client.startsWith("https://");

const clientsIn = ({ before, after }: Policies) =>
  [...before, ...after].flatMap(({ selector }) => /^client_id:(.*)/s.exec(selector ?? "")?.[1] ?? []);

function limitDecision(policies: Policies, client: string | undefined): LimitDecision {
  const { before, after } = policies;
  if (before.length + after.length === 0) return letIn;
  // An application has its own policy, or that of its group, or the default. A log does not tell the group.
  const mayBeUrl = client === undefined || isUrl(client);
  const groups = ["default", "third_party_clients", ...(mayBeUrl ? ["cimd_clients"] : [])];
  const all = (client === undefined ? [undefined, ...clientsIn(policies)] : [client]).flatMap((one) =>
    groups.map((group) => changeOf(policyOf(before, one, group), policyOf(after, one, group))),
  );
  const [first = letIn] = all;
  if (all.every(({ outcome }) => outcome === first.outcome))
    return all.every(({ by }) => by === first.by) ? first : { outcome: first.outcome, lacks: [] };
  const whose = client === undefined ? "application" : "group of the application";
  return { outcome: "not decidable", lacks: [...new Set([whose, ...all.flatMap(({ lacks }) => lacks)])] };
}

/** The most specific policy. One whose selector is not known yet may be for everybody. */
function policyOf(policies: readonly LoggedPolicy[], client: string | undefined, group: string) {
  const selectors = [undefined, ...(client === undefined ? [] : [`client_id:${client}`]), group, "default"];
  return selectors.map((one) => policies.find(({ selector }) => selector === one)).find((one) => one !== undefined);
}

function changeOf(before: LoggedPolicy | undefined, after: LoggedPolicy | undefined): LimitDecision {
  if (!after || after.action === "allow" || after.action === "log") return letIn;
  const { name, selector, action, limit } = after;
  if (selector === undefined || action === undefined || limit === undefined)
    return { outcome: "not decidable", lacks: ["limit, which is known only after the apply"] };
  const isStrict = before?.action === "block" || before?.action === "redirect";
  // The request passed the limit before.
  if (isStrict && before.selector === selector && (before.limit ?? Infinity) <= limit) return letIn;
  if (limit > 0) return { outcome: "not decidable", lacks: ["rate of the requests"] };
  return { outcome: action === "redirect" ? "redirected" : "blocked", by: name, lacks: [] };
}
