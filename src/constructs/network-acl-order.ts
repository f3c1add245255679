/** Assigns priorities to network ACLs by their order. */
import type { ISynthesisSession, TerraformProvider } from "cdktf";
import { Construct } from "constructs";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { NetworkAclConfig } from "./bindings/network-acl";
import { isObject } from "../cty/value";
import { show } from "../sdk/check";
import { customSynthesis } from "./cdk-library";
import { NetworkAcl } from "./network-acl";
import { put } from "../install/placing";
import { prioritiesFor } from "./priorities";

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
 * neighbours, which keep theirs. Synth warns about unreachable ACLs.
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
 * order.get("office").priority; // 10
 */
export class NetworkAclOrder extends Construct {
  /** The ACLs in the order of evaluation. */
  readonly acls: readonly NetworkAcl[];

  constructor(scope: Construct, id: string, config: NetworkAclOrderConfig) {
    super(scope, id);
    demandOrder(this.node.path, config);
    const { acls, first = 1, last = 100, provider, prioritiesFile = "tenantform.priorities.json" } = config;
    const file = prioritiesFile === false ? undefined : path.resolve(prioritiesFile);
    const ids = acls.map((acl) => acl.id);
    const priorities = prioritiesFor(ids, { first, last }, file === undefined ? {} : remembered(file)[this.node.path]);
    this.acls = acls.map(
      ({ id: name, ...rest }) => new NetworkAcl(this, name, { provider, ...rest, priority: priorities.get(name) }),
    );
    if (file === undefined) return;
    Object.defineProperty(this, customSynthesis, {
      value: { onSynthesize: (_session: ISynthesisSession) => remember(file, this.node.path, priorities) },
    });
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
}

const orderArguments = ["acls", "first", "last", "provider", "prioritiesFile"];

/** Throws if the configuration is invalid. */
function demandOrder(place: string, config: unknown): void {
  const complaints = complaintsOf((config ?? {}) as Readonly<Record<string, unknown>>);
  if (complaints.length > 0) throw new Error(`[${place}] ${complaints.join(" ")}`);
}

function complaintsOf(config: Readonly<Record<string, unknown>>): string[] {
  const { acls, first = 1, last = 100, prioritiesFile } = config;
  if (!Array.isArray(acls)) return ["`acls` is not a list: list the network ACLs in their order, each with an `id`."];
  const strange = Object.keys(config).filter((name) => !orderArguments.includes(name));
  const isPriority = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100;
  return [
    ...strange.map((name) => `\`${name}\` is unknown. Known are ${orderArguments.join(", ")}.`),
    ...Object.entries({ first, last })
      .filter(([, value]) => !isPriority(value))
      .map(([name, value]) => `\`${name}\` is ${show(value)}: give a whole number from 1 to 100.`),
    ...(prioritiesFile === undefined || prioritiesFile === false || typeof prioritiesFile === "string"
      ? []
      : [`\`prioritiesFile\` is ${show(prioritiesFile)}: give the path of a file, or false.`]),
    ...acls.flatMap((acl: unknown, index) => complaintsOfEntry(acl, `acls[${index}]`)),
  ];
}

function complaintsOfEntry(acl: unknown, place: string): string[] {
  if (Construct.isConstruct(acl)) {
    return [
      `\`${place}\` is the construct ${acl.node.path}: give its configuration with an \`id\`. The order creates the construct.`,
    ];
  }
  if (!isObject(acl)) return [`\`${place}\` is ${show(acl)}: give an object with id, description and rule.`];
  const { id, priority } = acl as { readonly id?: unknown; readonly priority?: unknown };
  return [
    ...(typeof id === "string" && id !== ""
      ? []
      : [`\`${place}.id\` is ${show(id)}: give a text. The ACL keeps its priority under this name.`]),
    ...(priority === undefined
      ? []
      : [`\`${place}.priority\` is ${show(priority)}: leave it out. The order assigns it.`]),
  ];
}

/** By the path of the order, then by the name of the ACL. */
type Remembered = Readonly<Record<string, Readonly<Record<string, number>>>>;

function remembered(file: string): Remembered {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Remembered;
  } catch (cause) {
    throw new Error(
      `${file} is not valid JSON with priorities. Repair it. Or delete it, and synth numbers all ACLs again.`,
      { cause },
    );
  }
}

function remember(file: string, order: string, priorities: ReadonlyMap<string, number>): void {
  const all = Object.entries({ ...remembered(file), [order]: Object.fromEntries(priorities) });
  const sorted = Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  put(file, `${JSON.stringify(sorted, null, 2)}\n`, 0o644, path.dirname(file));
}
