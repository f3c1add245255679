/** The members of an organization in CDK programs. */
import { Token } from "cdktf";
import { Construct } from "constructs";
import {
  membersDefinition,
  organizationMemberSet,
  organizationRead,
} from "../provider/resources/organization-member-set/definition";
import { DataTenantOrganization as PresentOrganization } from "./bindings/data-tenant-organization";
import { DataTenantOrganizationMembers as PresentOrganizationMembers } from "./bindings/data-tenant-organization-members";
import {
  OrganizationMemberSet as Generated,
  type OrganizationMemberSetConfig as GeneratedConfig,
} from "./bindings/organization-member-set";
import { addCheck } from "./checks";
import { isReference, shown } from "./input-check";
import { checkAtSynth, checked, given } from "./validation";

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
  /** The notes that `addMember` has made: it adds to them in place, because a copy for each of thousands takes minutes. */
  private made: Record<string, string> | undefined;

  constructor(scope: Construct, id: string, written: OrganizationMemberSetConfig) {
    const { config, problems } = withPlainMembers(written);
    super(scope, id, given(organizationMemberSet, config));
    if (problems.length > 0) addCheck(this, () => [...problems]);
    checkAtSynth(this, organizationMemberSet, config);
  }

  /**
   * Adds a member, unless the set has it already.
   * @example
   * const staff = new OrganizationMemberSet(stack, "staff", { organizationId: "org_9ybsU1dN2dKfDkBi" });
   * staff.addMember({ userId: "auth0|71c3d9e0", note: "Katherine Johnson, for the launch" });
   * @throws Error if the members of the set are a reference, which only Terraform knows
   */
  addMember(member: string | Member): void {
    const { membersInput: listed = [], membersWithNotesInput: noted = {} } = this;
    // The library would search all notes for tokens.
    if (isReference(listed) || (noted !== this.made && isReference(noted))) {
      const remedy = "join them by `Fn.concat` in `members`, or by `Fn.merge` in `membersWithNotes`";
      throw new Error(`[${this.node.path}] The members are a reference, so none can be added: ${remedy}.`);
    }
    const made = noted === this.made && listed.length === 0 ? this.made : undefined;
    const id = isMember(member) ? member.userId : member;
    const known = made === undefined ? Object.keys(noted) : Object.hasOwn(made, id) ? [id] : [];
    const present = known.map((userId) => ({ userId, note: noted[userId]! }));
    const { config, problems } = withPlainMembers({ organizationId: "", members: [...present, ...listed, member] });
    if (problems.length > 0) throw new Error(`[${this.node.path}] ${problems.join(" ")}`);
    if (made) return void Object.assign(made, config.membersWithNotes ?? { [id]: "" });
    this.resetMembers();
    this.resetMembersWithNotes();
    if (config.members) this.members = [...new Set(config.members)];
    this.made = config.membersWithNotes;
    if (this.made) this.membersWithNotes = this.made;
  }
}

/* Writes members as objects into the attributes that the provider has. */

const names: readonly string[] = ["userId", "note"] satisfies (keyof Member)[];

/** The configuration of the generated class, and problems of its members. */
function withPlainMembers(config: OrganizationMemberSetConfig): { config: GeneratedConfig; problems: string[] } {
  const { members, ...rest } = { ...config };
  if (!Array.isArray(members) || members.every(isId)) return { config: config as GeneratedConfig, problems: [] };
  const problems = members.flatMap(problemsOf);
  const notes = new Map<string, string | undefined>();
  for (const one of members as readonly unknown[]) {
    const { userId, note } = (isMember(one) ? one : { userId: one }) as Partial<Member>;
    if (!isId(userId)) continue;
    const known = notes.get(userId);
    if (known !== undefined && note !== undefined && known !== note) {
      const [user, ...both] = [userId, known, note].map((part) => shown(part));
      problems.push(`\`members\` has ${user} with the notes ${both.join(" and ")}: give one of them.`);
    }
    notes.set(userId, known ?? note);
  }
  const hasNotes = rest.membersWithNotes === undefined && [...notes.values()].some((note) => note !== undefined);
  const noted = Object.fromEntries([...notes].map(([userId, note = ""]) => [userId, note]));
  return {
    config: { ...rest, ...(hasNotes ? { membersWithNotes: noted } : { members: [...notes.keys()] }) },
    problems,
  };
}

/** A reference to another resource is an object too. */
const isMember = (one: unknown): one is Member =>
  typeof one === "object" &&
  one !== null &&
  ![Token.isUnresolved, Construct.isConstruct, Array.isArray].some((is) => is(one));

const isId = (one: unknown): one is string => typeof one === "string" || Token.isUnresolved(one);

/** The generated class would drop a member without an id, or make a text of it. */
function problemsOf(one: unknown, index: number): string[] {
  const place = `members[${index}]`;
  if (!isMember(one)) return isId(one) ? [] : [`\`${place}\` is ${shown(one)}: give the id of a user.`];
  const { userId } = one as Partial<Member>;
  const wrong = userId === undefined ? "missing" : shown(userId);
  const strange = Object.keys(one).filter((name) => !names.includes(name));
  return [
    ...(isId(userId) ? [] : [`\`${place}.userId\` is ${wrong}: give the id of the user.`]),
    ...strange.map((name) => `\`${place}.${name}\` is unknown. Known are ${names.join(", ")}.`),
  ];
}

/** All members of an organization, including unmanaged members. */
export class DataTenantOrganizationMembers extends checked(PresentOrganizationMembers, membersDefinition) {}

/**
 * An organization, by its name. The token needs `read:organizations`.
 * @example
 * const { id } = new DataTenantOrganization(stack, "acme", { name: "acme" });
 * new OrganizationMemberSet(stack, "staff", { organizationId: id, members: ["auth0|65f0c2a4"] });
 */
export class DataTenantOrganization extends checked(PresentOrganization, organizationRead) {}
