/** Whether the requests that Terraform itself makes, and others that must get through, are cut off after a plan. */
import { decide } from "../access/decide";
import { requestOf, type AccessRequest } from "../access/request";
import type { ReviewedAcl } from "./acls";
import { knownValue, providerBlocks } from "./expression";
import { finding, type Finding } from "./finding";
import type { Plan, ProviderConfig, Values } from "./plan";
import { hidden } from "./hidden";
import { titleOf } from "./words";

interface ProtectedRequest {
  readonly name: string;
  readonly request: AccessRequest;
  /** Somebody named it, so that what may cut it off is worth a word. */
  readonly isNamed: boolean;
  /** A fact of it must not be shown. */
  readonly isSecret: boolean;
}

const ownPaths = { "the requests of Terraform": "/api/v2/", "Terraform's token request": "/oauth/token" };

export function lockoutFindings(
  plans: readonly Plan[],
  before: readonly ReviewedAcl[],
  after: readonly ReviewedAcl[],
): Finding[] {
  return protectedRequests(plans).flatMap(({ name, request, isNamed, isSecret }) => {
    const will = decide(after, request);
    if (will.cutOff === "no" || (will.cutOff === "perhaps" && !isNamed)) return [];
    const was = decide(before, request);
    const done = will.outcome === "redirected" ? "redirected" : "blocked";
    const old = was.cutOff === will.cutOff && was.by?.key === will.by?.key ? " It is so already." : "";
    const by = titleOf(will.by);
    const why = isSecret || (will.by?.secret.size ?? 0) > 0 ? "" : `: ${will.because}`;
    if (will.cutOff === "perhaps") {
      if (old !== "") return [];
      return [finding("TF-ACL-LOCKOUT-POSSIBLE", `${name} may be ${done} by ${by}${why}.`, will.by)];
    }
    return [finding("TF-ACL-LOCKOUT", `${name} will be ${done} by ${by}${why}.${old}`, will.by)];
  });
}

/** Those of the provider blocks, with the token request of each; where none is named, what any Terraform does. */
function protectedRequests(plans: readonly Plan[]): ProtectedRequest[] {
  const named = plans.flatMap(namedRequests);
  const some = named.length > 0 ? named : [{ facts: {}, isSecret: false }];
  return some.flatMap(({ facts, isSecret }): ProtectedRequest[] => {
    const { name, path, ...known } = facts as Partial<AccessRequest> & {
      readonly name?: string;
      readonly path?: string;
    };
    const paths = path === undefined ? Object.entries(ownPaths) : [[`requests to ${path}`, path]];
    return paths.map(([what, at]) => ({
      name: name === undefined ? capital(what!) : `${capital(what!)} (${JSON.stringify(name)})`,
      request: requestOf(at!, known),
      isNamed: named.length > 0,
      isSecret,
    }));
  });
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);

interface NamedRequest {
  readonly facts: Values;
  readonly isSecret: boolean;
}

/** As far as the plan tells their facts: what it does not is not known. */
function namedRequests(plan: Plan): NamedRequest[] {
  return providerBlocks(plan, ["tenant"]).flatMap((provider) => {
    const blocks = (provider.expressions?.["protected_requests"] ?? []) as readonly Values[];
    return blocks.map((written) => factsOf(written, plan, provider));
  });
}

function factsOf(block: Values, plan: Plan, provider: ProviderConfig): NamedRequest {
  const facts = Object.entries(block).flatMap(([name, written]) => {
    const known = knownValue(written, plan, provider);
    return known === undefined || known.value === null ? [] : [{ name, ...known }];
  });
  // Name and path are said; of the others only what becomes of the request.
  const shown = facts.filter(({ name, isSecret }) => !isSecret || name !== "path");
  return {
    facts: Object.fromEntries(
      shown.map(({ name, value, isSecret }) => [name, isSecret && name === "name" ? hidden : value]),
    ),
    isSecret: facts.some(({ isSecret }) => isSecret),
  };
}

/** Hosts that are the tenant's own, as far as the plans tell. */
export function ownHosts(plans: readonly Plan[], acls: readonly ReviewedAcl[]): Set<string> {
  const hosts = plans.flatMap(hostsOf);
  const listed = acls.flatMap(({ rule }) => {
    const hostnames: unknown = rule.match?.["hostnames"];
    return Array.isArray(hostnames) ? hostnames.filter((host): host is string => typeof host === "string") : [];
  });
  return new Set([...hosts, ...listed]);
}

/** Hosts of the tenants that the provider blocks name. */
function hostsOf(plan: Plan): string[] {
  const settings = providerBlocks(plan, ["tenant", "auth0"]).flatMap((provider) =>
    ["domain", "endpoint"].map((name) => knownValue(provider.expressions?.[name], plan, provider)?.value),
  );
  const named = settings.filter((text): text is string => typeof text === "string" && text !== "");
  return named.map((text) => (URL.canParse(text) && text.includes("//") ? new URL(text).hostname : text));
}
