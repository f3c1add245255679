/** Finds codes of countries and regions that no request has, such as UK. */
import { codeMeantBy, countryNames } from "../../access/access";
import { clipped } from "../clipped";
import { effect, type Effect } from "../effect";
import type { PlannedAcl } from "./acl";
import { titleOf } from "./words";

/** `unchanged`: the ACLs that the plan leaves unchanged. */
export function codeEffects(acls: readonly PlannedAcl[], unchanged: ReadonlySet<PlannedAcl>): Effect[] {
  return acls.flatMap((acl) => {
    const about = { ...acl, ...(unchanged.has(acl) && { already: true as const }) };
    return (["match", "not_match"] as const).flatMap((side) =>
      strangeCodes(acl, side).map(([code, meant]) => {
        const name = countryNames().get(meant);
        const which = `\`${side}\` of ${titleOf(acl)} names ${clipped(code)}, which no request has: ${meant}${name ? ` (${name})` : ""} is meant.`;
        const consequence =
          side === "match"
            ? "So this entry matches nobody."
            : `So this entry excludes nobody, and the rule applies to everybody from ${meant} too.`;
        const level = side === "match" ? "medium" : "high";
        return effect("TNF-ACL-NO-SUCH-CODE", `${which} ${consequence}`, { ...about, level });
      }),
    );
  });
}

function strangeCodes({ rule, secret }: PlannedAcl, side: "match" | "not_match"): [code: string, meant: string][] {
  const criteria = rule[side] as unknown;
  if (typeof criteria !== "object" || criteria === null) return [];
  return ["geo_country_codes", "geo_subdivision_codes"].flatMap((property) => {
    const codes = (criteria as { readonly [name: string]: unknown })[property];
    if (!Array.isArray(codes) || secret.has(property)) return [];
    return codes.flatMap((code: unknown): [string, string][] => {
      const meant = typeof code === "string" ? codeMeantBy(code) : undefined;
      return meant === undefined ? [] : [[code as string, meant]];
    });
  });
}
