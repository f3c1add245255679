/**
 * Decides what changed rate limit policies do to a logged request of an application. Only a limit of 0 decides a single request. A log does
 * not have all requests, so it does not show whether another limit is reached.
 */
export interface LimitDecision {
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

export type Policies = Readonly<Record<"before" | "after", readonly LoggedPolicy[]>>;

const letIn: LimitDecision = { outcome: "let in", lacks: [] };

/** Applications with a Client ID Metadata Document have its URL as client id. */
const isUrl = (client: string) => client.startsWith("https://");

const clientsIn = ({ before, after }: Policies) =>
  [...before, ...after].flatMap(({ selector }) => /^client_id:(.*)/s.exec(selector ?? "")?.[1] ?? []);

export function limitDecision(policies: Policies, client: string | undefined): LimitDecision {
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
