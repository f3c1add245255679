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
import { criteriaOf, decide, factNames, rowOf, sides, signalsOf, type AccessRequest, type Acl } from "../access/access";
import type { LimitDecider } from "./limits";
import type { LoggedName, LoggedRequest } from "./request";

/** An ACL with the key that it has before and after the change. */
export type KeyedAcl = Acl & { readonly key: string };

export interface Decision<A extends KeyedAcl> {
  readonly outcome: "blocked" | "redirected" | "let in" | "not decidable";
  /** The ACL that blocks or redirects it, or the name of the policy. Undefined if there is none, or there are several. */
  readonly by?: A | string | undefined;
  /** What the log lacks to decide it. */
  readonly lacks: readonly string[];
  /** Whether the ACLs before the change block it, although it is in the log: the tenant had other ACLs then. */
  readonly isContradicted: boolean;
}

/** Decisions that are remembered. Requests with the same attributes in all rules have one decision. */
const mostRemembered = 20_000;

export function createDecider<A extends KeyedAcl>(
  before: readonly A[],
  after: readonly A[],
  limits: LimitDecider,
): (request: LoggedRequest) => Decision<A> {
  const used = usedBy([...before, ...after]);
  const classes = addressClasses([...before, ...after]);
  const known = new Map<string, Decision<A>>();
  return (request) => {
    let key = `${request.apis.join()} ${limits.classOf(request.client)}`;
    for (const name of used)
      key += `\n${rowOf(name).kind === "address" ? classes(request[name]) : (request[name] ?? "")}`;
    const found = known.get(key);
    if (found) return found;
    if (known.size >= mostRemembered) known.clear();
    const made = decided(request, { before, after, limits });
    known.set(key, made);
    return made;
  };
}

/** The attributes that rules name and events have. */
export const usedBy = (acls: readonly Acl[]): LoggedName[] =>
  factNames.filter((name): name is LoggedName => {
    const isLogged = rowOf(name).logged !== undefined;
    return isLogged && acls.some((acl) => propertiesOf(acl).some((one) => signalsOf(name).includes(one)));
  });

const mostAddresses = 100_000;

/** Gives addresses that are in the same lists of the rules the same text, so that few requests are decided. */
function addressClasses(acls: readonly Acl[]): (address: string | undefined) => string {
  const criteria = acls.flatMap(({ rule }) => sides.flatMap((side) => criteriaOf(rule, side)));
  const named = criteria.filter(({ properties }) => properties.some((one) => one.endsWith("_cidrs")));
  const lists = named.map(({ texts }) => listOf(texts));
  const known = new Map<string, string>();
  return (address = "") => {
    // An address that stands for one of the other family is decided by itself.
    if (address === "" || address.startsWith("::") || lists.includes(undefined)) return address;
    const found = known.get(address);
    if (found !== undefined) return found;
    if (known.size >= mostAddresses) known.clear();
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    const made = lists.map((list) => (list!.check(address, family) ? "1" : "0")).join("");
    known.set(address, made);
    return made;
  };
}

/** Returns undefined if an entry has an unusual form. */
function listOf(texts: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const text of texts) {
    const [address = "", length, ...more] = text.split("/");
    const family = isIP(address);
    const isUsual = family > 0 && more.length === 0 && !address.startsWith("::") && /^\d{0,3}$/.test(length ?? "");
    if (!isUsual || Number(length ?? 0) > (family === 4 ? 32 : 128) || length === "") return undefined;
    list.addSubnet(address, Number(length ?? (family === 4 ? 32 : 128)), family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

interface Sides<A> {
  readonly before: readonly A[];
  readonly after: readonly A[];
  readonly limits: LimitDecider;
}

function decided<A extends KeyedAcl>(request: LoggedRequest, given: Sides<A>): Decision<A> {
  const all = request.apis.map((api) => decidedFor({ ...request, api } as AccessRequest, given, request.client));
  const [first] = all;
  const isOne = all.every((one) => one.outcome === first!.outcome && one.by === first!.by);
  if (isOne) return first!;
  return {
    outcome: "not decidable",
    lacks: [...new Set(["API", ...all.flatMap(({ lacks }) => lacks)])],
    isContradicted: all.every(({ isContradicted }) => isContradicted),
  };
}

function decidedFor<A extends KeyedAcl>(
  request: AccessRequest,
  { before, after, limits }: Sides<A>,
  client: string | undefined,
): Decision<A> {
  const passes = decide(before, request).endings.filter(({ outcome }) => outcome === "allowed");
  const isContradicted = passes.length === 0;
  const endings = decide(after, request).endings.filter(
    ({ outcome, by }) =>
      isContradicted || outcome === "allowed" || by === undefined || !isRuledOut(by, passes, before, after),
  );
  const isAllowed = endings.some(({ outcome }) => outcome === "allowed");
  if (isAllowed && endings.some(({ outcome }) => outcome !== "allowed"))
    return { outcome: "not decidable", lacks: lackedBy(endings, request), isContradicted };
  if (!isAllowed) {
    const isRedirected = endings.every(({ outcome }) => outcome === "redirected");
    const by = endings.length === 1 ? endings[0]!.by : undefined;
    return { outcome: isRedirected ? "redirected" : "blocked", by, lacks: [], isContradicted };
  }
  const limited = request.api === "management" ? undefined : limits.decide(client);
  return { outcome: "let in", lacks: [], isContradicted, ...limited };
}

interface Pass<A> {
  readonly by?: A;
}

/** Whether an ACL that denies was there before, behind the same ACLs that may have let the request through. */
function isRuledOut<A extends KeyedAcl>(
  denying: A,
  passes: readonly Pass<A>[],
  before: readonly A[],
  after: readonly A[],
): boolean {
  const was = before.find((acl) => isSame(acl, denying));
  if (!was) return false;
  const ahead = passes.flatMap(({ by }) => (by && by.priority <= was.priority ? [by] : []));
  return ahead.every((pass) => after.some((acl) => isSame(acl, pass) && acl.priority < denying.priority));
}

const isSame = <A extends KeyedAcl>(one: A, other: A): boolean =>
  one === other || (one.key === other.key && one.active && other.active && textOf(one) === textOf(other));

/** A value that is not known equals no value. */
const textOf = ({ rule }: Acl) =>
  JSON.stringify(rule, (_, value: unknown) => (typeof value === "symbol" ? ["not known"] : value));

const propertiesOf = ({ rule }: Acl): readonly string[] =>
  sides.flatMap((side) => criteriaOf(rule, side).flatMap(({ properties }) => properties));

/** The attributes that the rules name and the request lacks. */
function lackedBy(endings: readonly Pass<Acl>[], request: AccessRequest): string[] {
  const named = new Set(endings.flatMap(({ by }) => (by ? propertiesOf(by) : [])));
  const facts = factNames.filter(
    (name) =>
      name !== "path" && request[name] === undefined && Object.keys(rowOf(name).criteria).some((one) => named.has(one)),
  );
  return facts.length > 0 ? facts.map((name) => rowOf(name).noun) : ["values that the plan does not know yet"];
}
