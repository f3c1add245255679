/**
 * HTTP message signatures (RFC 9421) of requests, verified with the tenant's keys by the rules of Auth0's documentation: one signature, by
 * hmac-sha256, with `created`, `expires` and `keyid`.
 *
 * Assumption: a request with several signature labels, which the documentation calls rejected, matches no key; `alg` of a signature may be
 * left out; and a signature may cover every component of the RFC.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { httpbis } from "http-message-signatures";
import { bytesOf, networkAclKeyKind } from "../api/network-acl-keys";
import type { Store } from "../state/store";

const algorithm = "hmac-sha256";
const longestLifetime = 3600;
/** The seconds by which clocks may differ, at both ends. */
const skew = 60;

interface Parameters {
  readonly keyid?: unknown;
  /** The library makes a date of `created`, and leaves `expires` in seconds. */
  readonly created?: Date | null | undefined;
  readonly expires?: unknown;
}

/** `now`: seconds since 1970. */
function isCurrent({ created, expires }: Parameters, now: number): boolean {
  const from = created ? created.getTime() / 1000 : undefined;
  if (!Number.isInteger(from) || !Number.isInteger(expires)) return false;
  const [first, last] = [from as number, expires as number];
  return last - first <= longestLifetime && first <= now + skew && now <= last + skew;
}

/** The id of the key that made the only signature of a request; undefined if the signature does not match. `now`: milliseconds since 1970. */
export async function signatureKeyOf(store: Store, request: Request, now: number): Promise<string | undefined> {
  const { method, url, headers } = request;
  // No label and no byte sequence has a comma, so a comma in this header separates labels.
  if (!headers.has("signature-input") || headers.get("signature")?.includes(",")) return undefined;
  const labels: unknown[] = [];
  const keyLookup = async (parameters: Parameters) => {
    labels.push(parameters.keyid);
    const { id, value } = store.of(networkAclKeyKind).get(String(parameters.keyid)) ?? {};
    const bytes = value === undefined ? undefined : bytesOf(value);
    if (bytes === undefined || !isCurrent(parameters, Math.floor(now / 1000))) return null;
    const verify = async (signed: Buffer, signature: Buffer) => {
      const expected = createHmac("sha256", bytes).update(signed).digest();
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    };
    return { id, algs: [algorithm], verify };
  };
  const message = { method, url, headers: Object.fromEntries(headers) };
  try {
    // The clock of the library is not the one of the tenant, so its own checks of times are off.
    const isValid = await httpbis.verifyMessage({ keyLookup, tolerance: Infinity }, message);
    return isValid && labels.length === 1 ? String(labels[0]) : undefined;
  } catch {
    return undefined; // malformed, or of another algorithm
  }
}
