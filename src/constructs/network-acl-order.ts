/** Assigns priorities to network ACLs by their order, and lets Terraform write an allow before the blocks that follow it. */
import type { TerraformProvider } from "cdktf";
import { Construct } from "constructs";
import path from "node:path";
import type { NetworkAclConfig, NetworkAclRule, NetworkAclRuleAction } from "./bindings/network-acl";
import { customSynthesis, addCheck } from "./checks";
import { shown, problemOfName } from "./input-check";
import { NetworkAcl } from "./network-acl";
import { existsSync, readFileSync } from "node:fs";
import { put } from "../commands/install/placing";

export interface OrderedNetworkAcl extends Omit<NetworkAclConfig, "priority"> {
  /** Name in the order. The ACL keeps its priority under this name. */
  readonly id: string;
}

/** The ACLs of an order, and the range of their priorities. */
export interface NetworkAclOrderConfig {
  /** The ACLs in the order of evaluation. */
  readonly acls: readonly OrderedNetworkAcl[];
  /** The lowest priority, a whole number from 1 to 100. Default: 1. */
  readonly first?: number;
  /** The highest priority, a whole number from 1 to 100. Default: 100. */
  readonly last?: number;
  /** Provider for ACLs without their own. */
  readonly provider?: TerraformProvider;
  /**
   * File in which synth stores the priorities. Commit it, so that an inserted ACL does not change the others. With false, every
   * synth numbers the ACLs again. Default: `tenantform.priorities.json`.
   */
  readonly prioritiesFile?: string | false;
}

/**
 * Network ACLs in the order of evaluation. Each gets a priority, with gaps in between. An inserted ACL gets a number between its
 * neighbours, which keep theirs, so the plan shows one change. Each block and redirect depends on the allows before it, so that an apply
 * and a destroy never leave the block without them. With `first` and `last`, a tenant can have several orders.
 * @example
 * const order = new NetworkAclOrder(stack, "edge", {
 *   acls: [
 *     {
 *       id: "office",
 *       description: "The office may always sign in",
 *       rule: { action: Action.allow(), match: Match.addresses("203.0.113.0/24"), scope: "authentication" },
 *     },
 *     {
 *       id: "sanctions",
 *       description: "No sign-in from sanctioned countries",
 *       rule: { action: Action.block(), match: Match.countries("KP"), scope: "authentication" },
 *     },
 *   ],
 * });
 * order.get("office").priorityInput; // 10
 */
export class NetworkAclOrder extends Construct {
  private ordered: readonly NetworkAcl[];
  private priorities: Numbers;
  private readonly config: NetworkAclOrderConfig;
  private readonly earlier: Numbers | undefined;

  constructor(scope: Construct, id: string, config: NetworkAclOrderConfig) {
    super(scope, id);
    demandOrder(this.node.path, config);
    this.config = config;
    const { acls, prioritiesFile = "tenantform.priorities.json" } = config;
    const file = prioritiesFile === false ? undefined : path.resolve(prioritiesFile);
    this.earlier = file === undefined ? {} : readPriorities(file)[this.node.path];
    this.ordered = acls.map((acl) => this.made(acl));
    this.priorities = this.numbered();
    addCheck(this, () => this.ordered.flatMap((acl) => this.otherPriority(acl)));
    if (file === undefined) return;
    Object.defineProperty(this, customSynthesis, {
      value: { onSynthesize: () => writePriorities(file, this.node.path, this.priorities) },
    });
  }

  /** The ACLs in the order of evaluation. */
  get acls(): readonly NetworkAcl[] {
    return this.ordered;
  }

  /**
   * The ACL with this name.
   * @throws Error if the order has no such ACL
   */
  get(id: string): NetworkAcl {
    const found = this.acls.find(({ node }) => node.id === id);
    if (found) return found;
    throw new Error(`${this.node.path} has no ACL ${id}. It has ${this.acls.map(({ node }) => node.id).join(", ")}.`);
  }

  /**
   * Adds an ACL before the ACL with the name `before`, or at the end. The priorities follow, as if the order had been declared with it.
   * @example
   * const order = new NetworkAclOrder(stack, "edge", { acls: [] });
   * const rule = { action: Action.allow(), match: Match.networks(64496), scope: "authentication" };
   * order.add({ id: "partner", description: "A partner may sign in", rule });
   * @throws Error if the order has no ACL `before`
   */
  add(acl: OrderedNetworkAcl, before?: string): NetworkAcl {
    const index = before === undefined ? this.ordered.length : this.ordered.indexOf(this.get(before));
    demandAcl(this.node.path, acl, "acl");
    const made = this.made(acl);
    this.ordered = this.ordered.toSpliced(index, 0, made);
    this.priorities = this.numbered();
    return made;
  }

  /** A setter has changed it. */
  private otherPriority({ priorityInput: given, node: { id } }: NetworkAcl): string[] {
    const own = this.priorities[id];
    return given === own ? [] : [`\`priority\` of ${id} is ${given}, but the order assigns ${own}: do not set it.`];
  }

  private made({ id, ...rest }: OrderedNetworkAcl): NetworkAcl {
    if (this.node.tryFindChild(id)) {
      throw new Error(
        `[${this.node.path}] Two ACLs have the \`id\` ${JSON.stringify(id)}: give one of them another id.`,
      );
    }
    const acl = new NetworkAcl(this, id, { provider: this.config.provider, ...rest });
    dependOnAllows(acl, this);
    return acl;
  }

  private numbered(): Numbers {
    const { first = 1, last = 100 } = this.config;
    const names = this.ordered.map(({ node }) => node.id);
    const room = last - first + 1;
    if (names.length > room) {
      const problem = `${names.length} network ACLs do not fit between \`first\` (${first}) and \`last\` (${last})`;
      throw new Error(`[${this.node.path}] ${problem}: give the order a wider range.`);
    }
    const priorities = prioritiesFor(names, first, last, this.earlier);
    for (const acl of this.ordered) acl.priority = priorities[acl.node.id]!;
    return priorities;
  }
}

/** Computed at synth, because until then a program may add an ACL, or give one another rule. */
function dependOnAllows(acl: NetworkAcl, order: NetworkAclOrder): void {
  let own = acl.dependsOn;
  Object.defineProperty(acl, "dependsOn", {
    set: (given: typeof own) => {
      own = given;
    },
    get: () => {
      const { block, redirect } = actionOf(acl);
      const earlier = order.acls.slice(0, order.acls.indexOf(acl));
      const allows = block || redirect ? earlier.filter((one) => actionOf(one).allow && !isMoved(one)) : [];
      return allows.length > 0
        ? [...(own ?? []), ...allows.map((one) => `${NetworkAcl.tfResourceType}.${one.friendlyUniqueId}`)]
        : own;
    },
  });
}

/** After `moveTo` the stack declares another ACL in its place. The library has no public way to ask. */
const isMoved = (acl: NetworkAcl): boolean => Reflect.get(acl, "_hasMoved") === true;

const actionOf = ({ ruleInput }: NetworkAcl): NetworkAclRuleAction =>
  (ruleInput as Partial<NetworkAclRule> | undefined)?.action ?? {};

const properties = ["acls", "first", "last", "provider", "prioritiesFile"] satisfies (keyof NetworkAclOrderConfig)[];

/** The checks of each ACL report the rest. */
function demandOrder(place: string, config: Partial<NetworkAclOrderConfig> | undefined): void {
  const refuse = (words: string): never => {
    throw new Error(`[${place}] ${words}`);
  };
  const { acls, first = 1, last = 100, prioritiesFile: file = false } = config ?? {};
  const strange = Object.keys(config ?? {}).find((name) => !(properties as string[]).includes(name));
  if (strange !== undefined) refuse(problemOfName(strange, "", properties));
  for (const [name, value] of Object.entries({ first, last })) {
    const isRight = Number.isInteger(value) && value >= 1 && value <= 100;
    if (!isRight) refuse(`\`${name}\` is ${shown(value)}: give a whole number from 1 to 100.`);
  }
  if (first > last)
    refuse(`\`first\` is ${first} and \`last\` is ${last}: give a \`first\` that is not above \`last\`.`);
  if (file !== false && typeof file !== "string")
    refuse(`\`prioritiesFile\` is ${shown(file)}: give the name of a file, or false.`);
  if (!Array.isArray(acls)) refuse("`acls` is no list: list the ACLs in order, each with an `id`.");
  for (const [index, acl] of acls!.entries()) demandAcl(place, acl, `acls[${index}]`);
}

function demandAcl(place: string, given: unknown, name: string): void {
  const { id, priority } = (given ?? {}) as Partial<NetworkAclConfig & OrderedNetworkAcl>;
  if (typeof id !== "string" || id === "" || Construct.isConstruct(given)) {
    throw new Error(`[${place}] \`${name}\` has no \`id\`: give an object with id, description and rule.`);
  }
  if (priority === undefined) return;
  throw new Error(`[${place}] \`${name}.priority\` is ${shown(priority)}: leave it out. The order assigns it.`);
}

// The priorities of an order of ACLs: how they are numbered, and the file that keeps them.

type Numbers = Readonly<Record<string, number>>;

/**
 * Returns increasing numbers for the ids. An id keeps its earlier number if that is greater than the number before it and leaves room
 * for the ids between. The others share the gap; at the end they continue in tens. Without room, all are numbered again. The ids are no
 * more than the numbers.
 */
export function prioritiesFor(ids: readonly string[], first: number, last: number, earlier: Numbers = {}): Numbers {
  const numbers: Record<string, number> = {};
  let before = first - 1;
  let open: string[] = [];
  for (const id of [...ids, undefined]) {
    const after = id === undefined ? last + 1 : (earlier[id] ?? 0);
    const isKept = Number.isInteger(after) && after - before > open.length && (id === undefined || after <= last);
    if (id !== undefined && !isKept) {
      open.push(id);
      continue;
    }
    if (!isKept) return prioritiesFor(ids, first, last);
    const even = (after - before) / (open.length + 1);
    const step = id === undefined ? Math.min(10, Math.max(1, Math.floor(even))) : even;
    // Tens begin with the first ten of the range, if all fit.
    const ten = Math.ceil(first / 10) * 10 - 10;
    const start = step === 10 && before < first && ten + step * open.length < after ? ten : before;
    for (const [index, one] of open.entries()) numbers[one] = Math.floor(start + step * (index + 1));
    if (id !== undefined) numbers[id] = after;
    before = after;
    open = [];
  }
  return numbers;
}

/** By the path of the order, then by the id of the ACL. */
function readPriorities(file: string): Readonly<Record<string, Numbers>> {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, Numbers>>;
  } catch (cause) {
    const why = (cause as Error).message;
    throw new Error(`The priorities in ${file} cannot be read (${why}): restore it, or name another file.`, { cause });
  }
}

function writePriorities(file: string, order: string, numbers: Numbers): void {
  const all = Object.entries({ ...readPriorities(file), [order]: numbers });
  const sorted = Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  try {
    put(file, `${JSON.stringify(sorted, null, 2)}\n`, 0o644, path.dirname(file));
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    const why = `\`prioritiesFile\` is ${file}, which cannot be written${code && ` (${code})`}`;
    throw new Error(`[${order}] ${why}: create its folder, or name another file.`, { cause });
  }
}
