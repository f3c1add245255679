/** Policies of a plan or a tenant: how many requests per second pass, and what happens to the others. */
import { urlIn } from "../../../formats/text/url";
import { hidden } from "../../../formats/text/lists";
import { block, isMarked, type Marks, type PlannedObject, type Values, withoutBlanks } from "../model";
import { isUnknown } from "../../../formats/cty/value";

export interface Limit {
  readonly action: string;
  /** Requests per second; null: no number. */
  readonly limit: number | null;
  readonly redirect_uri?: string;
  /** The selector of the policy that sets the limit. */
  readonly by: string;
}

/** Shown for a value that is not known yet. */
export const pending = "(known after apply)";

/** Auth0 takes no higher limit. */
const highest = 10_000;

/** The numbers of requests per second that may pass. A request that is only logged passes. */
export function ratesOf(limit: Limit | null | undefined): readonly [least: number, most: number] {
  if (!limit || limit.action === "log" || limit.action === "allow") return [Infinity, Infinity];
  const isKnown = limit.action === "block" || limit.action === "redirect";
  return [limit.limit ?? 0, isKnown ? (limit.limit ?? highest) : Infinity];
}

/** Undefined: not known. */
export function rateOf(limit: Limit | null | undefined): number | undefined {
  const [least, most] = ratesOf(limit);
  return least === most ? least : undefined;
}

/** Whether the limit is known only after the apply. A sensitive one is known. */
export function isOpen(limit: Limit | null): boolean {
  return limit !== null && limit.action !== hidden && (rateOf(limit) === undefined || limit.redirect_uri === pending);
}

/** Whether applications share the limit. The default, and a policy of one application, count for each application. */
export const isShared = (limit: Limit | null): boolean =>
  limit?.by === "third_party_clients" || limit?.by === "cimd_clients";

/** The host of a redirect; undefined: none, or not known. */
export function hostOf({ redirect_uri: uri }: Limit): string | undefined {
  return uri === undefined ? undefined : urlIn(uri)?.host || undefined;
}

export interface Policy extends Limit {
  readonly address: string;
  readonly plan?: string;
  readonly resource: string;
  readonly consumer: string;
  /** It may belong to another tenant. */
  readonly tenantUnknown: boolean;
  /** Its callers are known only after the apply. */
  readonly hasUnknownCallers: boolean;
  /** The names of the attributes that must not be shown. */
  readonly secret: ReadonlySet<string>;
  /** The whole configuration, to compare and never to show. */
  readonly meaning: string;
}

const identity = ["resource", "consumer", "consumer_selector"] as const;

type Subject = Pick<PlannedObject, "address" | "plan" | "tenantUnknown">;

export function policyFrom({ address, plan, tenantUnknown }: Subject, values: Values, marks?: Marks): Policy {
  const text = (name: string, otherwise: string) => {
    const value = values[name];
    return isUnknown(value) ? pending : typeof value === "string" ? value : otherwise;
  };
  return {
    address,
    ...(plan !== undefined && { plan }),
    tenantUnknown: tenantUnknown === true,
    hasUnknownCallers:
      typeof values["consumer_selector"] !== "string" || identity.some((name) => isUnknown(values[name])),
    resource: text("resource", "oauth_authentication_api"),
    consumer: text("consumer", "client"),
    by: typeof values["consumer_selector"] === "string" ? values["consumer_selector"] : `${unknownCallers}${address})`,
    secret: new Set(identity.filter((name) => isMarked(marks, name))),
    ...limitFrom(block(values["configuration"]), isMarked(marks, "configuration")),
    meaning: JSON.stringify(withoutBlanks(block(values["configuration"]))) ?? "",
  };
}

/** Begins the selector of a policy whose callers are known only after the apply. */
export const unknownCallers = "(known after apply: ";

function limitFrom(configuration: Values | symbol | undefined, isSecret: boolean): Omit<Limit, "by"> {
  if (isSecret) return { action: hidden, limit: null };
  const part = (name: string) => (typeof configuration === "object" ? configuration[name] : configuration);
  const [action, limit, uri] = [part("action"), numberFrom(part("limit")), part("redirect_uri")];
  const isNumber = Number.isFinite(limit) && action !== "allow";
  return {
    action: typeof action === "string" ? action : pending,
    limit: isNumber ? (limit as number) : null,
    ...(typeof uri === "string" && uri !== "" && { redirect_uri: uri }),
    ...(isUnknown(uri) && { redirect_uri: pending }),
  };
}

const numberFrom = (value: unknown) => (typeof value === "string" && value !== "" ? Number(value) : value);

/** Equal for policies of which a tenant has only one. */
export const keyOf = ({ resource, consumer, by }: Pick<Policy, "resource" | "consumer" | "by">) =>
  JSON.stringify([resource, consumer, by]);

const isClient = (selector: string) => selector.startsWith("client_id:");

/** Whether it limits several applications, but not all of them. */
export const isGroup = ({ by, hasUnknownCallers }: Pick<Policy, "by" | "hasUnknownCallers">) =>
  !hasUnknownCallers && by !== "default" && !isClient(by);

/** Whether it is an application with a metadata document, whose id is the address of the document. */
const hasDocument = (selector: string) => selector.startsWith("client_id:https:");

/**
 * The policies of which one limits the applications of the selector: that of an application replaces that of its group, which replaces the
 * default. A plan shows no other group than that of applications with a metadata document. The first is the one that applies if the application is in no other group.
 * Undefined: nothing limits them.
 */
export function effective<P extends Policy>(policies: readonly P[], selector: string): readonly (P | undefined)[] {
  const at = (name: string) => policies.filter(({ by, hasUnknownCallers }) => by === name && !hasUnknownCallers);
  const own = at(selector);
  if (own.length > 0) return own;
  const usual = at("default");
  // A tenant has one policy for a selector, so an unknown selector is none of the known ones.
  const anyone =
    selector === "default" && usual.length > 0 ? [] : policies.filter(({ hasUnknownCallers }) => hasUnknownCallers);
  const groups = isClient(selector) ? policies.filter((one) => isGroup(one) && one.by !== "cimd_clients") : [];
  const sure = hasDocument(selector) ? at("cimd_clients") : [];
  const [first] = [sure, usual, [undefined]].filter((some) => some.length > 0);
  return [...first!, ...anyone, ...groups];
}
