/** Lockouts in words: the same facts in plans and in reviews. */
import type { Acl } from "../access/decide";
import type { Lockout } from "./lockout";

/** A sentence without its end; `titles`: what its ACLs are called. */
export function lockoutWords(lockout: Lockout<Acl>, titles: readonly string[]): string {
  const { kind, called, because, certainty, already } = lockout;
  if (certainty === "not decided") {
    return "There are too many rules to count which part of the Management API they block, so it counts as blocked";
  }
  const does = verbOf(lockout);
  const by = already
    ? listed(titles).replace(/^./, (first) => first.toUpperCase())
    : `After this plan, ${listed(titles)}`;
  const why = because ? `: ${because}` : "";
  if (kind === "protected request") return `${by} ${does} the request "${called}" of protected_requests${why}`;
  if (kind === "token") return `${by} ${does} Terraform's request for a token${why}`;
  const where = called === undefined ? "" : ` where the facts of "${called}" of protected_requests leave them open`;
  return `${by} ${does} ${wordsOfShares(lockout.shares)} from the Management API${where}`;
}

function verbOf({ certainty, already, outcome }: Lockout<Acl>): string {
  const [does, may] = outcome === "redirected" ? ["redirects", "redirect"] : ["blocks", "block"];
  if (certainty === "possible") return `may ${may}`;
  return already ? does : `would ${may}`;
}

const mostNamed = 5;

function listed(titles: readonly string[]): string {
  const rest = titles.length - mostNamed;
  const all = [...titles.slice(0, mostNamed), ...(rest > 0 ? [`${rest} more`] : [])];
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

function wordsOfShares(shares: readonly string[] = []): string {
  return shares.join(" and ");
}
