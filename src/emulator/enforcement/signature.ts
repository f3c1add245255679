/** HTTP message signatures (RFC 9421) of requests, verified with the tenant's keys. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { httpbis } from "http-message-signatures";
import { materialOf, networkAclKeyKind } from "../api/network-acl-keys";
import type { Store } from "../state/store";

/** A choice: seconds for which a signature that says when it was made is taken, and those that clocks may differ by. */
const maxAge = 300;
const tolerance = 10;
const algorithm = "hmac-sha256";

/** The ids of the keys whose signatures the request bears. */
export async function signatureKeysOf(store: Store, request: Request): Promise<string[]> {
  if (!request.headers.has("signature-input")) return [];
  const good: string[] = [];
  const keyLookup = async ({ keyid: id = "" }: { readonly keyid?: string }) => {
    const { value } = store.of(networkAclKeyKind).get(id) ?? {};
    const material = value === undefined ? undefined : materialOf(value);
    if (material === undefined) return null;
    const verify = async (signed: Buffer, signature: Buffer) => {
      const expected = createHmac("sha256", material).update(signed).digest();
      const isGood = signature.length === expected.length && timingSafeEqual(signature, expected);
      if (isGood) good.push(id);
      return isGood;
    };
    return { id, algs: [algorithm], verify };
  };
  const { method, url, headers } = request;
  const message = { method, url, headers: Object.fromEntries(headers) };
  try {
    await httpbis.verifyMessage({ keyLookup, maxAge, tolerance }, message);
  } catch {
    // One of them is malformed, too old or of another algorithm: it proves nothing, and takes nothing from the others.
  }
  return good;
}
