/** Protected requests: what they ask for, and which of them stand for Terraform's own. */
import { contains, parseBlock, unmapped } from "../access/cidr";
import { apiOf, type Api, type Facts } from "../access/request";

export interface ProtectedRequest {
  /** What messages call it. */
  readonly called: string;
  /** Left out: Terraform's own, the Management API and the token request before it. A symbol: not known yet. */
  readonly path?: string | symbol | undefined;
  /** A symbol: not known yet. */
  readonly facts: Facts;
}

/** None while it is not known what is asked for. */
export function apisOf({ path }: ProtectedRequest): Api[] {
  if (typeof path === "symbol") return [];
  return path === undefined ? ["management", "authentication"] : [apiOf(path)];
}

/**
 * Whether it says where Terraform's own requests come from, so that no others are judged in their place. One for another
 * API does not, nor one that only says what any client can say of itself, nor one from where no request can come.
 */
export function speaksForTerraform(request: ProtectedRequest, countries: readonly string[]): boolean {
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
