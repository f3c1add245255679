/** Tells which APIs a protected request is for, and whether the request stands for Terraform's own. */
import { contains, countries, parseBlock, unmapped, apiOf, type Api, type Facts } from "../../access/access";

export interface ProtectedRequest {
  /** Name of the request in messages. */
  readonly called: string;
  /** Left out: Terraform's own, the Management API and the token request before it. A symbol: not known yet. */
  readonly path?: string | symbol | undefined;
  /** A symbol: not known yet. */
  readonly facts: Facts;
  /** A fact is sensitive, so messages do not show the facts. */
  readonly isSecret?: boolean;
}

/** `lockout_guard`. */
export type Strength = "error" | "warn" | "off";

/** The lock-out guard of one provider configuration, or several. */
export interface Guard {
  /** Left out: not known. */
  readonly strength?: Strength | undefined;
  readonly requests: readonly ProtectedRequest[];
  /** No resource uses its provider configuration, so no plan checks it. */
  readonly isIdle?: true;
}

/** The names of the facts that are not known. */
export function unknownFacts({ path, facts }: ProtectedRequest): string[] {
  return Object.entries({ path, ...facts }).flatMap(([name, fact]) => (typeof fact === "symbol" ? [name] : []));
}

export const isKnownRequest = (request: ProtectedRequest): boolean => unknownFacts(request).length === 0;

/** None while the path is not known. */
export function apisOf({ path }: ProtectedRequest): Api[] {
  if (typeof path === "symbol") return [];
  return path === undefined ? ["management", "authentication"] : [apiOf(path)];
}

/**
 * Whether the request says where Terraform's own requests come from, and so replaces the check from everywhere. A request for
 * another API does not. Neither does one with facts that any client can send, or with an address that no host can have.
 */
export function speaksForTerraform(request: ProtectedRequest): boolean {
  if (!apisOf(request).includes("management")) return false;
  const { ip, connecting_ip, asn, country, subdivision } = request.facts;
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
