/** Words a lock-out the same way in plans and in reviews. */
import type { Acl } from "../../access/access";
import type { Lockout } from "./lockout";

/** Without the final full stop. `titles`: those of the ACLs. `when`: the moment of a lock-out that was not so before. */
export function lockoutWords(lockout: Lockout<Acl>, titles: readonly string[], when = "After this plan"): string {
  const { kind, called, because } = lockout;
  const does = verbOf(lockout);
  const by = isUnchanged(lockout)
    ? listed(titles).replace(/^./, (first) => first.toUpperCase())
    : `${when}, ${listed(titles)}`;
  const why = because ? `: ${because}` : "";
  if (kind === "protected request") return `${by} ${does} the protected request "${called}"${why}`;
  if (kind === "token") return `${by} ${does} Terraform's request for a token${why}`;
  const where = called === undefined ? "" : ` for the protected request "${called}", whose other facts are not known`;
  return `${by} ${does} ${wordsOfShares(lockout.shares)} from the Management API${where}`;
}

/** Whether the same network ACLs blocked the requests before. */
export const isUnchanged = ({ already, byOther }: Lockout<Acl>): boolean => already && !byOther;

function verbOf(lockout: Lockout<Acl>): string {
  const { certainty, outcome } = lockout;
  const [does, may] = outcome === "redirected" ? ["redirects", "redirect"] : ["blocks", "block"];
  if (certainty === "possible") return `may ${may}`;
  return isUnchanged(lockout) ? does : `would ${may}`;
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
