/** The members of an organization in CDK programs. */
import { Token } from "cdktf";
import { Construct } from "constructs";
import { membersDefinition, organizationMemberSet } from "../provider/resources/organization-member-set/definition";
import {
  DataTenantOrganizationMembers as PresentOrganizationMembers,
  type DataTenantOrganizationMembersConfig,
} from "./bindings/data-tenant-organization-members";
import {
  OrganizationMemberSet as Generated,
  type OrganizationMemberSetConfig as GeneratedConfig,
} from "./bindings/organization-member-set";
import { addCheck } from "./checks";
import { checkAtSynth, given } from "./validation";

/** A member of an organization. */
export interface Member {
  /** The id of the user, such as `auth0|65f0c2a4`. */
  readonly userId: string;
  /** Note such as the name. Only the state holds it. */
  readonly note?: string;
}

export interface OrganizationMemberSetConfig extends Omit<GeneratedConfig, "members"> {
  /**
   * The members: user ids, or objects with a note. Terraform removes members that you do not list, unless `exclusive` is
   * false. Give either `members` or `membersWithNotes`.
   * @example
   * members: ["auth0|65f0c2a4", { userId: "google-oauth2|1041", note: "Grace Hopper, on call" }]
   */
  readonly members?: readonly (string | Member)[];
}

/**
 * The members of an organization. Terraform removes members that you do not list, unless `exclusive` is false.
 * @example
 * new OrganizationMemberSet(stack, "staff", {
 *   organizationId: "org_9ybsU1dN2dKfDkBi",
 *   members: ["auth0|65f0c2a4", { userId: "google-oauth2|1041", note: "Grace Hopper, on call" }],
 *   maxRemovals: 5,
 * });
 */
export class OrganizationMemberSet extends Generated {
  constructor(scope: Construct, id: string, written: OrganizationMemberSetConfig) {
    const { config, problems } = withPlainMembers(written);
    super(scope, id, given(organizationMemberSet, config));
    if (problems.length > 0) addCheck(this, () => [...problems]);
    checkAtSynth(this, organizationMemberSet, config);
  }
}

/* Writes members as objects into the attributes that the provider has. */

const names: readonly string[] = ["userId", "note"] satisfies (keyof Member)[];

/** The configuration of the generated class, and problems of its members. */
function withPlainMembers(config: OrganizationMemberSetConfig): {
  readonly config: GeneratedConfig;
  readonly problems: readonly string[];
} {
  const { members } = (config as OrganizationMemberSetConfig | undefined) ?? {};
  if (!Array.isArray(members) || !members.some(isMember)) return { config: config as GeneratedConfig, problems: [] };
  const listed = members.map((one: string | Member) => (isMember(one) ? one : { userId: one }));
  const ids = listed.map(({ userId }) => userId).filter((id) => id !== undefined);
  const hasNotes = config.membersWithNotes === undefined && listed.some(({ note }) => note !== undefined);
  const notes = Object.fromEntries(listed.map(({ userId, note = "" }) => [userId, note]));
  const { members: _members, ...rest } = config;
  return {
    config: {
      ...rest,
      ...(hasNotes ? { membersWithNotes: notes } : { members: ids }),
    },
    problems: members.flatMap(problemsOf),
  };
}

/** A reference to another resource is an object too. */
const isMember = (one: unknown): one is Member =>
  typeof one === "object" && one !== null && !Token.isUnresolved(one) && !Construct.isConstruct(one);

function problemsOf(one: string | Member, index: number): string[] {
  if (!isMember(one)) return [];
  const strange = Object.keys(one).filter((name) => !names.includes(name));
  const missing = "userId" in one ? [] : [`\`members[${index}].userId\` is missing: give the id of the user.`];
  return [
    ...missing,
    ...strange.map((name) => `\`members[${index}].${name}\` is unknown. Known are ${names.join(", ")}.`),
  ];
}

/** All members of an organization, including unmanaged members. */
export class DataTenantOrganizationMembers extends PresentOrganizationMembers {
  constructor(scope: Construct, id: string, config: DataTenantOrganizationMembersConfig) {
    super(scope, id, given(membersDefinition, config));
    checkAtSynth(this, membersDefinition, config);
  }
}
