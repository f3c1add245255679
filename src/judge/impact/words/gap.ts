/** Words what the review did not read. */
import { andWords, clipped, counted, listed } from "../../../formats/text/lists";
import { shellWord } from "../../../formats/text/printable";
import { isRefusal } from "../../codes/codes";
import type { GapFacts, TenantDoubt } from "../effect";

type Of<Gap extends GapFacts["gap"]> = Extract<GapFacts, { readonly gap: Gap }>;

export function gapWords(facts: GapFacts): string {
  switch (facts.gap) {
    case "failed":
      return failedWords(facts);
    case "incomplete":
      return incompleteWords(facts);
    case "unplanned":
      return (
        `Stack ${facts.stack} has no plan, so this review did not look at it and is incomplete. Plan it (cdktf diff ` +
        `${shellWord(facts.stack)}), and review again.`
      );
    case "refused":
      return (
        `--tenant: the tenant refuses to list its ${facts.objects} (${facts.reason.replace(/\.$/, "")}), so the review left them out and ` +
        "is incomplete. If the tenant does not have this feature, an apply cannot change them either."
      );
    case "tenant":
      return doubtWords(facts.doubt);
  }
}

/** The first error, and how many follow. */
function failedWords({ error, others }: Of<"failed">): string {
  if (!error)
    return (
      "The plan failed, so nothing can be applied, and other changes are not known. To see its error here, give the output of " +
      "`terraform plan` with --plan-output FILE."
    );
  const at = error.address === undefined ? "" : `, at ${clipped(error.address, 100)}`;
  const rest = others > 0 ? ` ${counted(others, "more error")} below.` : "";
  const what = error.code !== undefined && isRefusal(error.code) ? "Refused" : "The plan failed";
  return `${what}: ${clipped(error.summary.replace(/\.$/, ""), 300)}${at}.${rest} Nothing can be applied, and other changes are not known.`;
}

const mostNamed = 5;

function incompleteWords({ deferred }: Of<"incomplete">): string {
  if (deferred.length === 0)
    return (
      "The plan is incomplete: it was made with -target, or defers changes. Other changes are not known, so the review is incomplete. Plan " +
      "again without -target."
    );
  const names = deferred.map(({ address, deferred: reason }) => `${clipped(address, 100)} (${reason})`);
  return (
    `The plan is incomplete: Terraform defers the change of ${andWords(listed(names, mostNamed))} to a later plan, ` +
    "so the review is incomplete. Review that plan too."
  );
}

function doubtWords(doubt: TenantDoubt): string {
  switch (doubt.is) {
    case "read from":
      return (
        `--tenant: the environment names ${doubt.host}, but no provider configuration of the plans is known to name this host, and no object ` +
        "of the plans exists there. The review may have read another tenant, so it is incomplete. Name the same tenant in both places."
      );
    case "perhaps that of":
      return (
        `The provider blocks do not say whether this is the same tenant as that of ${doubt.others.join(" and ")}, so the review is incomplete. Set the ` +
        "`domain` or `endpoint` of each provider block to a constant."
      );
    case "not shown of": {
      const names = doubt.addresses.slice(0, mostNamed);
      const rest = doubt.addresses.length - names.length;
      return (
        `The plan does not show the tenant of ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}, because the configuration no longer ` +
        "has the block, or its provider block has for_each, so the review of the tenants to which it may belong is incomplete."
      );
    }
  }
}
