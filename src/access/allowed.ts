/** Decides whether any request with the given facts can be allowed, by a proof. `decide` looks at each ACL alone. */
import type { Acl } from "./decide";
import { factLists } from "./fact";
import { prove, type Statement } from "./proof";
import type { RequestLists } from "./request-set";
import type { AccessRequest } from "./request";
import { criteriaIn } from "./rule";

/** No host has these addresses: "this network", multicast, reserved, and IPv6 outside of 2000::/3. */
const noHosts = { ip_cidrs: ["0.0.0.0/8", "224.0.0.0/3", "::/3", "4000::/2", "8000::/1"] };

/** Also true if the search takes too long. */
export function mayBeAllowed(acls: readonly Acl[], request: AccessRequest): boolean {
  const { api } = request;
  if (api === "dynamic_client_registration") return true;
  const requests: RequestLists[] = [{ scopes: [api] }];
  const except: RequestLists[] = api === "authentication" ? [{ scopes: ["dynamic_client_registration"] }] : [];
  if (request.ip === undefined) except.push(noHosts);
  for (const { name, fact, signals } of factLists) {
    const given = fact === "path" ? undefined : request[fact];
    if (given === undefined) continue;
    // A request on several curated lists is on one of them, so the proof is about more requests than these.
    const [value = "", ...others] = [given].flat();
    if (value !== "") requests[0] = { ...requests[0], [name]: [value] };
    if (value !== "" && fact !== "managed") continue;
    const known = new Set<string | number>([value, ...others]);
    const absent = namedBy(acls, signals).filter((text) => !known.has(text));
    if (absent.length > 0) except.push({ [name]: absent });
  }
  const statement: Statement = { outcomes: ["blocked", "redirected"], requests, except };
  return prove(statement, acls).verdict !== "held";
}

const namedBy = (acls: readonly Acl[], signals: readonly string[]): string[] =>
  acls
    .flatMap(({ rule }) => criteriaIn(rule))
    .flatMap(({ properties, texts }) => (signals.includes(properties[0]!) ? texts : []));
