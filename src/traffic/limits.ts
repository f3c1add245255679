/**
 * Decides what changed rate limit policies do to a logged request of an application. Only a limit of 0 decides a single request. A log does
 * not have all requests, so it does not show whether another limit is reached.
 */
export interface LimitDecider {
  /** Equal for applications with the same decision. */
  classOf(client: string | undefined): string;
  decide(client: string | undefined): LimitDecision;
}

export interface LimitDecision {
  readonly outcome: "blocked" | "redirected" | "let in" | "not decidable";
  /** The name of the policy. */
  readonly by?: string;
  readonly lacks: readonly string[];
}

/** A policy, with the action and the limit that Auth0 applies. Undefined: not known yet. */
export interface LoggedPolicy {
  /** For people. */
  readonly name: string;
  readonly selector: string | undefined;
  readonly action: string | undefined;
  readonly limit: number | undefined;
}

const letIn: LimitDecision = { outcome: "let in", lacks: [] };

export function createLimitDecider(before: readonly LoggedPolicy[], after: readonly LoggedPolicy[]): LimitDecider {
  const own = new Set([...before, ...after].flatMap(({ selector }) => (isOwn(selector) ? [selector!] : [])));
  const classOf = (client: string | undefined) =>
    client === undefined ? "?" : own.has(`client_id:${client}`) ? `client_id:${client}` : isUrl(client) ? "cimd" : "";
  return { classOf, decide: (client) => decided(client, before, after) };
}

const isOwn = (selector: string | undefined) => selector?.startsWith("client_id:") === true;

/** Applications with a Client ID Metadata Document have its URL as client id. */
const isUrl = (client: string) => client.startsWith("https://");

function decided(client: string | undefined, before: readonly LoggedPolicy[], after: readonly LoggedPolicy[]) {
  if (before.length + after.length === 0) return letIn;
  // An application has its own policy, or that of its group, or the default. A log does not tell the group.
  const groups = [undefined, "third_party_clients", ...(client === undefined || isUrl(client) ? ["cimd_clients"] : [])];
  const clients = client === undefined ? [undefined, ...clientsIn([...before, ...after])] : [client];
  const all = clients.flatMap((one) =>
    groups.map((group) => changeOf(policyOf(before, one, group), policyOf(after, one, group))),
  );
  const [first, ...others] = all as [LimitDecision, ...LimitDecision[]];
  if (others.every(({ outcome }) => outcome === first.outcome))
    return others.every(({ by }) => by === first.by) ? first : { outcome: first.outcome, lacks: [] };
  const whose = client === undefined ? "application" : "group of the application";
  const lacks = all.flatMap((one) => one.lacks);
  return { outcome: "not decidable" as const, lacks: [...new Set([whose, ...lacks])] };
}

const clientsIn = (policies: readonly LoggedPolicy[]) =>
  policies.flatMap(({ selector }) => (isOwn(selector) ? [selector!.slice("client_id:".length)] : []));

/** The most specific policy. One whose selector is not known yet may be for everybody. */
function policyOf(policies: readonly LoggedPolicy[], client: string | undefined, group: string | undefined) {
  const selectors = [
    undefined,
    ...(client === undefined ? [] : [`client_id:${client}`]),
    group ?? "default",
    "default",
  ];
  return selectors.map((one) => policies.find(({ selector }) => selector === one)).find((one) => one !== undefined);
}

function changeOf(before: LoggedPolicy | undefined, after: LoggedPolicy | undefined): LimitDecision {
  if (!after || after.action === "allow" || after.action === "log") return letIn;
  const { name, selector, action, limit } = after;
  const isKnown = selector !== undefined && action !== undefined && limit !== undefined;
  if (!isKnown) return { outcome: "not decidable", lacks: ["limit, which is known only after the apply"] };
  const isStrict = before?.action === "block" || before?.action === "redirect";
  // The request passed the limit before.
  if (isStrict && before.selector === selector && (before.limit ?? Infinity) <= limit) return letIn;
  if (limit > 0) return { outcome: "not decidable", lacks: ["rate of the requests"] };
  return { outcome: action === "redirect" ? "redirected" : "blocked", by: name, lacks: [] };
}
