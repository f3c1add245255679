/** What is not known and an effect depends on: its kind, with names, and the clause that words it. */
import { andWords, clipped, counted, orWords } from "../../../formats/text/lists";
import type { Acl, AclDoubt, MatchReason } from "../../access/access";
import { matchWords } from "./match";

const plain = {
  "policy tenant": "the plan does not show which tenant the policy belongs to",
  order: "several resources manage the policy, and the one that is applied last sets the limit",
  twice: "several policies are for these applications, and the tenant refuses all but one",
  callers: "the applications of the policy are known only after the apply",
  group: "whether the application belongs to a group with a policy of its own is not known",
  "hidden group": "whether it is an application that belongs to a group with a policy of its own is not known",
  usual: "whether the tenant has a default policy is not known",
  "sensitive limit": "the limit is sensitive",
  "open limit": "the limit is known only after the apply",
  "part of a limit": "the plan does not show the whole limit",
  "size of the group": "how many applications share the limit of the group is not known",
  "imported set": "the set is imported, and the plan does not show its members",
  "order of sets": "another set lists them, and the order of the sets is not known",
  "number of members": "the set removes every member that it does not list, and the number of members is not known",
  organization: "the organization is known only after the apply",
  "members already": "whether they are members already is not known",
  "not so already": "it is not so already",
  "ends between": "the apply ends between the destroy and the create",
  "removed again": "another set may remove them in the same apply",
  "other members": "the other members of the organization were not read",
  "unnamed set": "a member set whose organization is known only after the apply may change these members",
  "several sets": "several member sets manage the organization",
  "users of a connection": "the change deletes a connection and its users, whom no plan names",
  "open members": "some members are known only after the apply",
  "created again": "the change deletes a user whom a set lists, and creates the user again",
  "no dynamic request": "no `request` block of it is dynamic",
  failed: "planning ended with an error, which `terraform plan` shows",
  incomplete: "the plan is incomplete",
  refused: "the tenant refuses to list some of its objects",
  unplanned: "a stack has no plan",
  tenant: "the tenant is not known for certain",
  duplicates: "two resources manage the same object",
} as const;

type Why = AclDoubt<Acl>["why"];

const doubts: Readonly<Record<Why, string>> = {
  "not known": "is known only after the apply",
  "not readable": "has a value that this version does not read",
  "letter case": "has a code in another letter case, which Auth0 may compare exactly or not",
  "part of a text":
    "has a user agent, which Auth0 may compare with the whole header or a part of it, in any letter case",
  "one or two signals": "has both kinds of connecting addresses, which Auth0 may count as one signal or two",
  "mapped address": "has an IPv4-mapped address, which may match its IPv4 address",
  "same priority": "is that of another ACL",
};

/** `address`: the object whose value is not known. */
export type Assumption = { readonly address?: string } & (
  | { readonly is: keyof typeof plain }
  /** Policies that may limit the same applications. */
  | { readonly is: "other policies"; readonly policies: readonly string[] }
  | { readonly is: "open attributes"; readonly attributes: readonly string[] }
  /** What an attribute of an ACL does. */
  | { readonly is: "ACL"; readonly acl: string; readonly path: string; readonly why: Why }
  /** The values of ACLs. */
  | { readonly is: "open ACLs"; readonly acls: readonly string[] }
  /** How many values the new value of a list may leave out. */
  | { readonly is: "left out"; readonly count: number }
  | {
      readonly is: "done after";
      readonly does: "destroys" | "changes";
      readonly object: string;
      readonly makes: "creates" | "changes";
      readonly by: readonly string[];
    }
  | { readonly is: "deferred"; readonly reason: string }
  /** `value`: as the `when` of a row has it. */
  | {
      readonly is: "wanted";
      readonly attribute: string;
      readonly value: string;
      readonly isSensitive?: true;
      readonly isNot?: true;
    }
  | { readonly is: "set by none"; readonly object: string }
  /** The policies of which one applies. Null: no policy. */
  | { readonly is: "one of"; readonly callers: string; readonly policies: readonly (Callers | null)[] }
  /** An attribute of a statement is exactly this variable. */
  | { readonly is: "variable"; readonly attribute: string; readonly variable: string }
  /** Only a plan shows the objects of a part of a stack. */
  | { readonly is: "part of a stack"; readonly part: string }
  /** Whether a rule matches a request. */
  | { readonly is: "match"; readonly reasons: readonly MatchReason[] }
  /** The condition of a row of the auth0 table. */
  | { readonly is: "clause"; readonly text: string }
);

/** Left out: they are known only after the apply. */
interface Callers {
  readonly callers?: string;
}

/** `rate limit policy for third_party_clients` */
export const policyName = ({ callers = "applications that are known only after the apply" }: Callers): string =>
  `rate limit policy for ${callers}`;

const mostOfOne = 160;

/** ` Not certain, because the limit is sensitive, and for 1 more reason.` Nothing for none. */
export function doubtWords(all: readonly Assumption[], most = all.length): string {
  if (all.length === 0) return "";
  const named = all.slice(0, most).map((one) => clipped(assumptionWords(one), mostOfOne));
  const rest = all.length - named.length;
  return ` Not certain, because ${andWords(named)}${rest > 0 ? `, and for ${counted(rest, "more reason")}` : ""}.`;
}

/** `match.ipv4_cidrs of tenant_network_acl.office is known only after the apply` */
export function assumptionWords(one: Assumption): string {
  switch (one.is) {
    case "other policies":
      return `${one.policies.join(" and ")} may limit the same applications, but that is known only after the apply`;
    case "open attributes": {
      const { attributes } = one;
      return `${andWords(attributes.map((name) => `\`${name}\``))} ${attributes.length > 1 ? "are" : "is"} known only after the apply`;
    }
    case "ACL":
      return `${one.path} of ${one.acl} ${doubts[one.why]}`;
    case "open ACLs":
      return `the values of ${andWords(one.acls)} are known only after the apply`;
    case "wanted": {
      const value = one.value === "*" ? "set" : one.value.replaceAll("|", " or ").replaceAll("[false]", "false");
      const why = one.isSensitive ? "the plan marks as sensitive" : "is known only after the apply";
      return `${one.attribute}, which ${why}, is ${one.isNot ? "not " : ""}${value}`;
    }
    case "left out":
      return `the value that is known only after the apply leaves ${one.count === 1 ? "it" : "them"} out`;
    case "done after":
      return `Terraform ${one.does} ${one.object} after it ${one.makes} ${andWords(one.by)}`;
    case "deferred":
      return `a later plan makes the change, which Terraform defers (${one.reason})`;
    case "set by none":
      return `no set adds ${one.object} again`;
    case "one of": {
      const names = new Set(one.policies.map((policy) => (policy ? policyName(policy) : "no policy")));
      return `it is not known which one applies to ${one.callers}: ${orWords(names)}`;
    }
    case "variable":
      return `\`${one.attribute}\` is exactly ${one.variable}`;
    case "part of a stack":
      return `only a plan shows the objects of ${one.part}`;
    case "match":
      return matchWords(one.reasons);
    case "clause":
      return one.text;
    default:
      return plain[one.is];
  }
}
