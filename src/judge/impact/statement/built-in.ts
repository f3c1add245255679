/**
 * The built-in statements. A `protected_request` block is an expectation about one request: it is allowed. Nobody else reads the block. What
 * it leaves out has some value, so an ACL that looks at it possibly blocks the request.
 */
import {
  apiOf,
  canonicalBlock,
  contains,
  countries,
  factLists,
  parseBlock,
  unmapped,
  type Api,
  type FactName,
  type Facts,
} from "../../access/access";
import { hidden } from "../../../formats/text/lists";
import { withoutNull, type Given } from "./fields";
import { unknownNames, type BuiltIn, type Expectation, type ProtectedRequest, type RequestSet } from "./statement";
import { isUnknown } from "../../../formats/cty/value";

/** The values of `lockout_guard`. */
export const severities = { error: "error", warn: "warning", off: "off" } as const;
export type Strength = keyof typeof severities;

/** Everything that `lockout_guard` is the severity of. `strength`, `requests`: a symbol is not known. */
export function builtIn(strength: Strength | symbol = "error", requests: readonly (ProtectedRequest | symbol)[] = []) {
  const severity = isUnknown(strength) ? strength : severities[strength];
  const others = requests.find(isUnknown);
  const known = requests.flatMap((one) => (isUnknown(one) ? [] : { ...one, severity }));
  const all: BuiltIn[] = [
    ...known,
    { name: "lockout_guard", severity, statement: { kind: "terraform", requests: known, ...(others && { others }) } },
    { name: "lockout_guard", severity, statement: { kind: "own limit" } },
  ];
  return all;
}

/** `given`: the block, in which a symbol stands for a value that is not known. `secrets`: its sensitive attributes. */
export function protectedRequest(given: Given, secrets: ReadonlySet<string> = new Set()): ProtectedRequest {
  const { name, ...facts } = withoutNull(given);
  const { path, ...others } = facts;
  const shown = Object.entries({ path, ...others }).filter(([fact]) => fact in facts && !secrets.has(fact));
  const words = shown.flatMap(([fact, value]) => (isUnknown(value) ? [] : `${fact} ${String(value)}`));
  const called = secrets.has("name") ? hidden : name;
  const unnamed = Object.values(given).some(isUnknown) ? "not known yet" : "any request";
  const set = factLists.flatMap(({ name: list, fact }): [string, unknown][] => {
    const value = facts[fact];
    if (value === undefined || (fact === "connecting_ip" && spell(fact, value) === spell("ip", facts["ip"]))) return [];
    if (fact === "path") return [[list, typeof value === "string" ? [apiOf(value)] : value]];
    return [[list, [spell(fact, value)]]];
  });
  return {
    name: typeof called === "string" ? called : words.join(", ") || (secrets.size > 0 ? hidden : unnamed),
    severity: "error",
    statement: {
      kind: "requests",
      outcomes: ["reached"],
      requests: [Object.fromEntries(set) as RequestSet],
      except: [],
      isOne: true,
    },
    ...(secrets.size > 0 && { isSecret: true as const }),
  };
}

/** One spelling for values that mean the same. */
function spell(name: FactName, fact: unknown): unknown {
  if (typeof fact !== "string") return fact;
  if (name === "ip" || name === "connecting_ip") return canonicalBlock(fact) ?? fact;
  if (name === "country" || name === "subdivision") return fact.toUpperCase();
  return name === "hostname" ? fact.toLowerCase().replace(/\.$/, "") : fact;
}

const setOf = ({ statement: { requests } }: ProtectedRequest) => (requests as readonly RequestSet[])[0]!;

/** The values of the request. */
export function factsOf(request: ProtectedRequest): Facts {
  const set = setOf(request);
  return Object.fromEntries(
    factLists.flatMap(({ name, fact }) => {
      const list = fact === "path" ? undefined : set[name];
      return list === undefined ? [] : [[fact, isUnknown(list) ? list : list[0]]];
    }),
  );
}

/** Undefined: not known. */
export const strengthOf = ({ severity }: BuiltIn): Strength | undefined =>
  (Object.keys(severities) as Strength[]).find((strength) => severities[strength] === severity);

/** The built-in statements of one provider configuration, or several. */
export interface Guard {
  readonly builtIn: readonly BuiltIn[];
  /** No resource uses its provider configuration, so no plan checks it. */
  readonly isIdle?: true;
}

export const requestsOf = ({ builtIn: all }: Guard): ProtectedRequest[] => all.filter(isOne);

/** Whether the statement is a protected request. */
export const isOne = (stated: Expectation | BuiltIn): stated is ProtectedRequest =>
  stated.statement.kind === "requests" && stated.statement.isOne === true;

/** The names of the attributes that are not known. */
export function unknownFacts(request: ProtectedRequest): string[] {
  const set = setOf(request);
  return factLists.flatMap(({ name, fact }) => (unknownNames(name, set[name]).length > 0 ? [fact] : []));
}

/** None while the path is not known. */
export function apisOf(request: ProtectedRequest): Api[] {
  const { scopes = ["management", "authentication"] } = setOf(request);
  return isUnknown(scopes) ? [] : (scopes as Api[]);
}

/**
 * Whether the request says where Terraform's own requests come from, and so replaces the check from everywhere. A request for
 * another API does not. Neither does one with facts that any client can send, or with an address that no host can have.
 */
export function speaksForTerraform(request: ProtectedRequest): boolean {
  if (!apisOf(request).includes("management")) return false;
  const { ip, connecting_ip, asn, country, subdivision } = factsOf(request);
  const addresses = [ip, connecting_ip].filter((address) => typeof address === "string");
  const places = [country, typeof subdivision === "string" ? subdivision.replace(/-.*/s, "") : undefined].filter(
    (code) => typeof code === "string",
  );
  if (!addresses.every(isHost) || !places.every((code) => countries.includes(code.toUpperCase()))) return false;
  return addresses.length + places.length > 0 || (typeof asn === "number" && asn > 0);
}

/** "This network", multicast and reserved addresses. */
const noHosts = ["0.0.0.0/8", "224.0.0.0/3", "::", "ff00::/8"].map((text) => parseBlock(text)!);

function isHost(address: string): boolean {
  const block = parseBlock(address);
  return block !== undefined && !noHosts.some((one) => contains(one, unmapped(block)));
}
