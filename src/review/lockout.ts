/** Whether the requests that Terraform itself makes, and others that must get through, are cut off after a plan. */
import { decide } from "../access/decide";
import { apiOf, type AccessRequest } from "../access/request";
import type { ReviewedAcl } from "./acls";
import { finding, type Finding } from "./finding";
import type { Plan, Values } from "./plan";
import { titleOf } from "./words";

interface ProtectedRequest {
  readonly name: string;
  readonly request: AccessRequest;
  /** Somebody named it, so that what may cut it off is worth a word. */
  readonly isNamed: boolean;
}

const ownPaths = { "the requests of Terraform": "/api/v2/", "Terraform's token request": "/oauth/token" };

export function lockoutFindings(
  plans: readonly Plan[],
  before: readonly ReviewedAcl[],
  after: readonly ReviewedAcl[],
): Finding[] {
  return protectedRequests(plans).flatMap(({ name, request, isNamed }) => {
    const will = decide(after, request);
    if (will.cutOff === "no" || (will.cutOff === "perhaps" && !isNamed)) return [];
    const was = decide(before, request);
    const done = will.outcome === "redirected" ? "redirected" : "blocked";
    const old = was.cutOff === will.cutOff && was.by?.key === will.by?.key ? " It is so already." : "";
    const by = titleOf(will.by);
    const secret = (will.by?.secret.size ?? 0) > 0;
    const why = secret ? "" : `: ${will.because}`;
    if (will.cutOff === "perhaps") {
      if (old !== "") return [];
      return [finding("TF-ACL-LOCKOUT-POSSIBLE", `${name} may be ${done} by ${by}${why}.`, will.by?.address)];
    }
    return [finding("TF-ACL-LOCKOUT", `${name} will be ${done} by ${by}${why}.${old}`, will.by?.address)];
  });
}

/** Those of the provider blocks, with the token request of each; where none is named, what any Terraform does. */
function protectedRequests(plans: readonly Plan[]): ProtectedRequest[] {
  const named = plans.flatMap(namedRequests);
  const facts = named.length > 0 ? named : [{}];
  return facts.flatMap((one): ProtectedRequest[] => {
    const { name, path, ...known } = one as Partial<AccessRequest> & { readonly name?: string; readonly path?: string };
    const paths = path === undefined ? Object.entries(ownPaths) : [[`requests to ${path}`, path]];
    return paths.map(([what, at]) => ({
      name: name === undefined ? capital(what!) : `${capital(what!)} (${JSON.stringify(name)})`,
      request: { connecting_ip: known.ip, ...known, api: apiOf(at!) },
      isNamed: named.length > 0,
    }));
  });
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);

/** As far as they are constants: what refers to something else the plan does not tell. */
function namedRequests({ configuration }: Plan): Values[] {
  return Object.values(configuration?.provider_config ?? {}).flatMap(({ name, expressions }) => {
    if (name !== "tenant") return [];
    const written = expressions?.["protected_requests"];
    const blocks = Array.isArray(written) ? written : constantOf(written);
    return Array.isArray(blocks) ? blocks.map((block) => factsOf(block as Values)) : [];
  });
}

function factsOf(block: Values): Values {
  const facts = Object.entries(block).map(([name, value]) => [name, constantOf(value)] as const);
  return Object.fromEntries(facts.filter(([, value]) => value !== undefined && value !== null));
}

function constantOf(expression: unknown): unknown {
  if (typeof expression !== "object" || expression === null) return expression;
  return (expression as { readonly constant_value?: unknown }).constant_value;
}

/** Hosts that are the tenant's own, as far as the plans tell. */
export function ownHosts(plans: readonly Plan[], acls: readonly ReviewedAcl[]): Set<string> {
  const settings = plans.flatMap(({ configuration }) =>
    Object.values(configuration?.provider_config ?? {}).flatMap(({ expressions }) => [
      constantOf(expressions?.["domain"]),
      constantOf(expressions?.["endpoint"]),
    ]),
  );
  const named = settings.filter((text): text is string => typeof text === "string");
  const hosts = named.map((text) => (URL.canParse(text) && text.includes("//") ? new URL(text).hostname : text));
  const listed = acls.flatMap(({ rule }) => {
    const hostnames: unknown = rule.match?.["hostnames"];
    return Array.isArray(hostnames) ? hostnames.filter((host): host is string => typeof host === "string") : [];
  });
  return new Set([...hosts, ...listed]);
}
