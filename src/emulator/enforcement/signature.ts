/** HTTP message signatures (RFC 9421) of requests, verified with the tenant's keys. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { httpbis } from "http-message-signatures";
import { bytesOf, networkAclKeyKind } from "../api/network-acl-keys";
import type { Store } from "../state/store";

/** A choice: the seconds for which a dated signature is accepted, and the seconds by which clocks may differ. */
const maxAge = 300;
const tolerance = 10;
const algorithm = "hmac-sha256";

/** The ids of the keys whose signatures on a request are valid. */
export async function signatureKeysOf(store: Store, request: Request): Promise<string[]> {
  if (!request.headers.has("signature-input")) return [];
  const valid: string[] = [];
  const keyLookup = async ({ keyid: id = "" }: { readonly keyid?: string }) => {
    const { value } = store.of(networkAclKeyKind).get(id) ?? {};
    const bytes = value === undefined ? undefined : bytesOf(value);
    if (bytes === undefined) return null;
    const verify = async (signed: Buffer, signature: Buffer) => {
      const expected = createHmac("sha256", bytes).update(signed).digest();
      const isValid = signature.length === expected.length && timingSafeEqual(signature, expected);
      if (isValid) valid.push(id);
      return isValid;
    };
    return { id, algs: [algorithm], verify };
  };
  const { method, url, headers } = request;
  const message = { method, url, headers: Object.fromEntries(headers) };
  try {
    await httpbis.verifyMessage({ keyLookup, maxAge, tolerance }, message);
  } catch {
    // A signature that is malformed, too old or of another algorithm does not spoil the others.
  }
  return valid;
}
