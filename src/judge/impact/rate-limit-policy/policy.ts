/** Policies of a plan or a tenant: how many requests per second pass, and what happens to the others. */
import { urlIn } from "../../../formats/text/url";
import { hidden } from "../phrases";
import type { Marks, PlannedObject, Values } from "../model";
import { block, isMarked, meant } from "../value";

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

/** How many requests per second pass. A request that is only logged passes. Undefined: not known. */
export function rateOf(limit: Limit | null): number | undefined {
  if (!limit || limit.action === "log" || limit.action === "allow") return Infinity;
  const isKnown = limit.action === "block" || limit.action === "redirect";
  return isKnown ? (limit.limit ?? undefined) : undefined;
}

/** Whether the limit is known only after the apply. A sensitive one is known. */
export function isOpen(limit: Limit | null): boolean {
  return limit !== null && limit.action !== hidden && (rateOf(limit) === undefined || limit.redirect_uri === pending);
}

/** Whether the applications of the selector share the limit. The default, and a policy of one application, count for each application. */
export function isShared(limit: Limit | null, selector: string): boolean {
  const isGroup = selector === "third_party_clients" || selector === "cimd_clients";
  return isGroup && limit?.by === selector;
}

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
  readonly unplaced: boolean;
  /** Its callers are known only after the apply. */
  readonly hasUnknownCallers: boolean;
  /** The names of the attributes that must not be shown. */
  readonly secret: ReadonlySet<string>;
  /** The whole configuration, to compare and never to show. */
  readonly meaning: string;
}

const identity = ["resource", "consumer", "consumer_selector"] as const;

type Subject = Pick<PlannedObject, "address" | "plan" | "unplaced">;

export function policyFrom({ address, plan, unplaced }: Subject, values: Values, marks?: Marks): Policy {
  const text = (name: string, otherwise: string) => {
    const value = values[name];
    return typeof value === "symbol" ? pending : typeof value === "string" ? value : otherwise;
  };
  return {
    address,
    ...(plan !== undefined && { plan }),
    unplaced: unplaced === true,
    hasUnknownCallers: identity.some((name) => typeof values[name] === "symbol"),
    resource: text("resource", "oauth_authentication_api"),
    consumer: text("consumer", "client"),
    by: typeof values["consumer_selector"] === "string" ? values["consumer_selector"] : `${unknownCallers}${address})`,
    secret: new Set(identity.filter((name) => isMarked(marks, name))),
    ...limitFrom(block(values["configuration"]), isMarked(marks, "configuration")),
    meaning: JSON.stringify(meant(block(values["configuration"]))) ?? "",
  };
}

/** Begins the selector of a policy whose callers are known only after the apply. */
export const unknownCallers = "(known after apply: ";

function limitFrom(configuration: Values | symbol | undefined, isSecret: boolean): Omit<Limit, "by"> {
  if (isSecret) return { action: hidden, limit: null };
  const part = (name: string) => (typeof configuration === "object" ? configuration[name] : configuration);
  const [action, limit, uri] = [part("action"), numberFrom(part("limit")), part("redirect_uri")];
  const isNumber = typeof limit === "number" && !Number.isNaN(limit) && action !== "allow";
  return {
    action: typeof action === "string" ? action : pending,
    limit: isNumber ? limit : null,
    ...(typeof uri === "string" && uri !== "" && { redirect_uri: uri }),
    ...(typeof uri === "symbol" && { redirect_uri: pending }),
  };
}

const numberFrom = (value: unknown) => (typeof value === "string" && value !== "" ? Number(value) : value);

/** Equal for policies of which a tenant has only one. */
export const keyOf = ({ resource, consumer, by }: Pick<Policy, "resource" | "consumer" | "by">) =>
  JSON.stringify([resource, consumer, by]);
