/** Values of the configuration. */
import type { Rows } from "./row";

export const configuration = {
  "TNF-INVALID-VALUE": {
    title: "Invalid …",
    text: [
      "Auth0, or this provider, does not accept the value of an attribute. The message names the " +
        "attribute, shows the value unless it is sensitive, and describes valid values. The provider sent nothing " +
        "to Auth0.",
    ],
  },
  "TNF-MISSING-VALUE": {
    title: "Missing …",
    text: ["A required attribute is missing or null. Set it. The cause is often a variable without a default."],
  },
  "TNF-DOUBTFUL-VALUE": {
    title: "Doubtful …",
    text: [
      "The value is valid, but is probably not what you mean, such as an address range inside another one. The " +
        "message names the attribute and suggests a correction.",
    ],
  },
  "TNF-SET-SAME-ORGANIZATION": {
    title: "Two sets for one organization",
    text: [
      "Put all members into one set, or set `exclusive = false` in both: each set would remove the members of the " +
        "other. If the plan destroys one of the sets, take this set out of the state instead, because Terraform " +
        "would remove members that the other set lists.",
    ],
  },
} as const satisfies Rows;
