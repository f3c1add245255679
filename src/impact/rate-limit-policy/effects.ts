/** Judges the changes of limits, and words them for the applications that they affect. */
import { amount, clipped, counted, hidden } from "../phrases";
import type { Change } from "../cause";
import { effect, levels, type Code, type Effect, type Level } from "../effect";
import { unlessWords, type LimitChange } from "./changes";
import { hostOf, pending, rateOf, type Limit, unknownCallers } from "./policy";

/** One effect for each change of a limit, or of what is logged. `isRejecting`: a log shows that limits reject requests already. */
export function limitEffects(changes: readonly LimitChange[], isRejecting = false): Effect[] {
  return changes.flatMap((change): Effect[] => {
    const [code, level] = gravest(change, isRejecting);
    const logged = code === undefined ? logWords(change) : undefined;
    if (code === undefined && logged === undefined) return [];
    const { address = "", plan, action, resource, assumptions = [] } = change;
    const isOpen = code === "TNF-LIMIT-UNKNOWN";
    const text = logged ?? (isOpen ? openWords(change) : `${wordsOf(change)}${exceptionOf(change)}.`);
    return [
      effect(code ?? "TNF-LIMIT-LOGGED", text, {
        ...(level && { level }),
        apis: resource === "oauth_authentication_api" ? ["authentication"] : [],
        who: isAnyone(change) ? "some applications" : whoOf(callersOf(change)),
        cause: [{ address, ...(plan !== undefined && { plan }), change: causes[action ?? "update"]! }],
        certainty: isOpen || assumptions.length > 0 ? "possible" : "certain",
        assumptions: [...(isOpen ? [reasonOf(change)] : []), ...assumptions],
      }),
    ];
  });
}

/** A change may have a new limit and a new redirect. An unknown limit is the code to act on, then the gravest one. */
function gravest(change: LimitChange, isRejecting: boolean): [code?: Code, level?: Level] {
  const found = codesOf(change).map((code) => [code, levelOf(code, change, isRejecting)] as const);
  const [worst] = found.toSorted(([, one], [, other]) => levels.indexOf(other) - levels.indexOf(one));
  if (!worst) return [];
  return [found.some(([code]) => code === "TNF-LIMIT-UNKNOWN") ? "TNF-LIMIT-UNKNOWN" : worst[0], worst[1]];
}

/** The codes of a change, the limit before the redirect. */
function codesOf({ before, after, open }: LimitChange): Code[] {
  if (open) return ["TNF-LIMIT-UNKNOWN"];
  const isRedirected =
    after?.action === "redirect" && (after.redirect_uri ?? before?.redirect_uri) !== before?.redirect_uri;
  const redirect: Code[] = isRedirected ? ["TNF-LIMIT-REDIRECT"] : [];
  const [was, is] = [before, after].map(rateOf);
  if (was === undefined || is === undefined) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : ["TNF-LIMIT-UNKNOWN", ...redirect];
  }
  if (is === was && before?.action === after?.action) return redirect;
  if (after?.action === "block" && is === 0 && was !== 0) return ["TNF-LIMIT-BLOCKED"];
  if (is === was) return after?.action === "block" ? ["TNF-LIMIT-REDIRECT"] : redirect;
  return [is < was ? "TNF-LIMIT-TIGHTENED" : "TNF-LIMIT-LOOSENED", ...redirect];
}

/** The level of one code: how many applications the change affects, and how hard. */
function levelOf(code: Code, change: LimitChange, isRejecting: boolean): Level {
  const { before, after, consumer_selector: selector } = change;
  const [was, is] = [before, after].map(rateOf);
  // A selector that must not be shown may be the default.
  const isDefault = selector === "default" || selector === hidden;
  if (code === "TNF-LIMIT-BLOCKED" || (is === 0 && was !== 0)) return isDefault ? "critical" : "high";
  if (code === "TNF-LIMIT-REDIRECT") return movesHost(before, after) ? "high" : "medium";
  if (code === "TNF-LIMIT-UNKNOWN") return "medium";
  if (code === "TNF-LIMIT-LOOSENED") return isDefault && is === Infinity ? "medium" : "low";
  if (isRejecting) return "high";
  if (was === Infinity) return isDefault ? "medium" : "low";
  return is! * 10 <= was! ? "high" : is! * 2 <= was! ? "medium" : "low";
}

/** Whether a redirect goes to another host than before. An address that is no URL may be on any host. */
function movesHost(before: LimitChange["before"], after: LimitChange["after"]): boolean {
  if (before?.action !== "redirect" || after?.action !== "redirect" || before.redirect_uri === undefined) return false;
  return hostOf(before) === undefined || hostOf(before) !== hostOf(after);
}

/** undefined: the same requests are logged. */
function logWords(change: LimitChange): string | undefined {
  const [was, is] = [change.before, change.after].map((limit) => (limit?.action === "log" ? limit.limit : null));
  if (was === is) return undefined;
  const requests = (number: number) => `Requests of ${callersOf(change).words} above ${rate(number)}`;
  if (typeof is !== "number") return `${requests(was!)} are no longer logged.`;
  const since = typeof was === "number" ? `logged, from ${amount(was)}` : "newly logged";
  return `${requests(is)} are ${since}. Logging limits nobody.`;
}

/** How the plan changes the policy. */
const causes: Readonly<Record<string, Change>> = {
  create: { kind: "created" },
  update: { kind: "changed", attributes: [] },
  replace: { kind: "replaced" },
  destroy: { kind: "destroyed" },
};

interface Callers {
  readonly words: string;
  readonly are: "is" | "are";
  /** Before the words of a whole. */
  readonly all?: "all ";
}

const whoOf = ({ all, words }: Callers) => `${all ?? ""}${words}`;

function callersOf({ resource, consumer, consumer_selector: selector }: LimitChange): Callers {
  const others = [resource, consumer].filter((name) => !["oauth_authentication_api", "client"].includes(name));
  const place = others.length > 0 ? ` (${others.map((name) => clipped(name)).join(", ")})` : "";
  const many = (words: string): Callers => ({ words: `${words}${place}`, are: "are" });
  if (selector === hidden) return many(`${hidden} applications`);
  if (selector === "default") return { ...many("applications without a policy of their own"), all: "all " };
  if (selector === "third_party_clients") return many("third-party applications");
  if (selector === "cimd_clients") return many("applications with a client ID metadata document");
  const client = /^client_id:(.+)/s.exec(selector)?.[1];
  return client === undefined
    ? many(`applications "${clipped(selector)}"`)
    : { words: `application ${clipped(client)}${place}`, are: "is" };
}

/** Whether the callers are known only after the apply. */
const isAnyone = ({ resource, consumer, consumer_selector: selector }: LimitChange) =>
  [resource, consumer].includes(pending) || selector.startsWith(unknownCallers);

function reasonOf(change: LimitChange): string {
  if (isSecret(change)) return "the limit is sensitive";
  return change.open ? "the limit is known only after the apply" : "the plan does not show the whole limit";
}

const isSecret = ({ before, after }: LimitChange) => [before, after].some((limit) => limit?.action === hidden);

function openWords(change: LimitChange): string {
  const { before, after, open } = change;
  const callers = callersOf(change);
  const [{ words, are }, who] = [callers, whoOf(callers)];
  const [was, is] = [rateOf(before), rateOf(after)];
  if (isAnyone(change) && isLimit(is)) {
    const fate =
      is > 0 ? `limited to ${rate(is)}` : `${after?.action === "block" ? "blocked" : "redirected"} (limit 0)`;
    return `Some applications are ${fate}. Which ones is known only after the apply.`;
  }
  if (isAnyone(change)) return "The limit of some applications may change. Which ones is known only after the apply.";
  if (isSecret(change)) return `The limit of ${words} changes and is sensitive.`;
  if (is === 0 && was !== 0) {
    const fate = after?.action === "block" ? "blocked" : "redirected, to an address that is known only after the apply";
    return `${capital(who)} ${are} ${fate} (limit 0).`;
  }
  return open
    ? `The limit of ${words} may change: it is known only after the apply (now ${isLimit(was) ? rate(was) : limitedTo(before)}).`
    : `The limit of ${words} may change: the plan does not show enough of it.`;
}

/** The limit of a side without an own policy depends on other policies. */
function exceptionOf({ after, action, consumer_selector: selector, assumptions }: LimitChange): string {
  const isOwn = action !== "destroy" && after?.by === selector;
  return unlessWords(assumptions, isOwn ? "before" : "after");
}

function wordsOf(change: LimitChange): string {
  const { before, after, consumer_selector: selector } = change;
  const callers = callersOf(change);
  const [{ words, are }, who] = [callers, whoOf(callers)];
  const [was, is] = [rateOf(before)!, rateOf(after)!];
  if (is === was)
    return beyondWords(is === 0 ? `All requests of ${words}` : `Requests of ${words} above ${rate(is)}`, change);
  const which = after?.by === "default" && selector !== "default" ? " (the default)" : "";
  if (is === 0) {
    const fate = after?.action === "block" ? "blocked" : `redirected to ${targetOf(after)} at every request`;
    return `${capital(who)} ${are} ${fate} (limit 0${which && ", the default"})`;
  }
  if (is === Infinity) {
    const isLogged = after?.action === "log" ? ": requests above it are only logged" : "";
    return `The limit of ${words} (${rate(was)}) is removed${isLogged}`;
  }
  const verb = is < was ? `${are} limited to` : "can send";
  const isElsewhere = before?.action !== after?.action || before?.redirect_uri !== after?.redirect_uri;
  const rest = isElsewhere && [before, after].some((limit) => limit?.action === "redirect");
  const beyond = rest ? `; ${beyondWords("requests above that", change)}` : "";
  return `${capital(who)} ${verb} ${rate(is)}${sharedWords(change)}${which}, from ${limitedTo(before)}${beyond}`;
}

/** A group shares one limit; the default is for each client. */
function sharedWords({ after, consumer_selector: selector }: LimitChange): string {
  const isGroup = selector === "third_party_clients" || selector === "cimd_clients";
  if (selector === "default" || (isGroup && after?.by === "default")) return " each";
  return isGroup ? " together" : "";
}

/** The outcome of requests above the limit, now and before. */
function beyondWords(requests: string, { before, after }: LimitChange): string {
  if (after?.action === "block") return `${requests} are blocked, no longer redirected`;
  const wasRedirected = before?.action === "redirect";
  const isSameHost = wasRedirected && hostOf(before) !== undefined && hostOf(before) === hostOf(after!);
  if (isSameHost) return `${requests} are redirected to another address of ${targetOf(after)}`;
  const no = wasRedirected
    ? `, no longer to ${targetOf(before)}`
    : before?.action === "block"
      ? ", no longer blocked"
      : "";
  return `${requests} are redirected to ${targetOf(after)}${no}`;
}

const targetOf = (limit: Limit | null) => clipped((limit && hostOf(limit)) ?? limit?.redirect_uri ?? "another address");

const isLimit = (number: number | undefined): number is number => number !== undefined && number !== Infinity;

/** `50`, `no limit` */
const limitedTo = (limit: Limit | null) => {
  const number = rateOf(limit);
  return number === undefined ? "not known" : number === Infinity ? "no limit" : amount(number);
};

const rate = (number: number) => `${counted(number, "request")}/s`;

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
