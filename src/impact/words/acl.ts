/** Words what is wrong with rules of network ACLs, and with their number. */
import { clipped, counted } from "../phrases";
import { manyAclsWords } from "../network-acl/many";
import { shadowWords } from "../network-acl/words";
import type { AclFacts } from "../network-acl/facts";
import type { Template } from "./template";

export const aclTemplate: Template<AclFacts> = {
  sentence: (facts) => {
    switch (facts.about) {
      case "code": {
        const { acl, side, code, meant, country } = facts;
        const consequence =
          side === "match"
            ? "the entry matches nobody."
            : `the entry excludes nobody, and the rule applies to everybody from ${meant} too.`;
        return (
          `\`${side}\` of ${acl} names ${clipped(code)}, which no request has: ${meant}${country ? ` (${country})` : ""} is meant, ` +
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
