/** Words what is wrong with rules of network ACLs, and with their number. */
import { mostAcls } from "../../kinds/network-acl";
import { amount, andWords, clipped, counted } from "../../../formats/text/lists";
import type { AclFacts } from "../network-acl/facts";
import type { Template } from "./template";

/** Why an ACL can never match. `titles`: of the ACLs that shadow it. */
export function shadowWords(titles: readonly string[]): string {
  if (titles.length === 0) return "no request has all that its own criteria demand";
  return `shadowed by ${andWords(titles)}`;
}

/** `there`: `The stack has` */
export const manyAclsWords = (there: string, count: number): string =>
  `${there} ${amount(count)} network ACLs for one tenant. An Auth0 Enterprise subscription includes one, or ${mostAcls} with the Attack Protection ` +
  "add-on. Auth0 refuses further ones.";

export const aclTemplate: Template<AclFacts> = {
  sentence: (facts) => {
    switch (facts.about) {
      case "code": {
        const { acl, side, code, likely, country } = facts;
        const consequence =
          side === "match"
            ? "the entry matches nobody."
            : `the entry excludes nobody, and the rule applies to everybody from ${likely} too.`;
        return (
          `\`${side}\` of ${acl} names ${clipped(code)}, which no request has: ${likely}${country ? ` (${country})` : ""} is meant, ` +
          `so ${consequence}`
        );
      }
      case "host":
        return `${facts.acl} redirects clients to ${facts.host}, which is not known as a host of the tenant.`;
      case "https":
        return `${facts.acl} redirects clients to a URI without https instead of one with https.`;
      case "shadow":
        return `${facts.acl} can never match: ${shadowWords(facts.by)}.`;
      case "number":
        return manyAclsWords("After the apply, there are", facts.count);
      case "overlap":
        return (
          `The network ACLs overlap so much that comparing every request would take too long for ${counted(facts.count, "API")}. ` +
          "More outcomes may change there than the review tells."
        );
    }
  },
};
