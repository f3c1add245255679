/** Network ACLs in the order in which they are asked, so that nobody has to number them. */
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
  /** Its name in the order, by which it keeps its priority. */
  readonly id: string;
}

export interface NetworkAclOrderConfig {
  /** The lists, the first asked first. */
  readonly acls: readonly OrderedNetworkAcl[];
  /** The lowest priority to give. Default: 1. */
  readonly first?: number;
  /** The highest priority to give. Default: 100. */
  readonly last?: number;
  /** Of all lists that name none. */
  readonly provider?: TerraformProvider;
  /**
   * File in which synth notes which list has which priority, to be committed: it is what leaves the others alone when one
   * is inserted. With false they are counted from the first anew. Default: `tenantform.priorities.json`.
   */
  readonly memory?: string | false;
}

/**
 * Network ACLs by their order: each gets a priority by its place, with room between. One that is inserted takes a number
 * between its neighbours, who keep theirs. One that can never match, because those before it decide all that it is about,
 * is told at synth.
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
  /** In their order. */
  readonly acls: readonly NetworkAcl[];

  constructor(scope: Construct, id: string, config: NetworkAclOrderConfig) {
    super(scope, id);
    demandOrder(this.node.path, config);
    const { acls, first = 1, last = 100, provider, memory = "tenantform.priorities.json" } = config;
    const file = memory === false ? undefined : path.resolve(memory);
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

  /** The list of this name. */
  get(id: string): NetworkAcl {
    const found = this.acls.find(({ node }) => node.id === id);
    if (found) return found;
    throw new Error(
      `${this.node.path} has no list ${id}: there are ${this.acls.map(({ node }) => node.id).join(", ")}.`,
    );
  }
}

const orderArguments = ["acls", "first", "last", "provider", "memory"];

/** Throws where it is none: nothing could be numbered. */
function demandOrder(place: string, config: unknown): void {
  const complaints = complaintsOf((config ?? {}) as Readonly<Record<string, unknown>>);
  if (complaints.length > 0) throw new Error(`[${place}] ${complaints.join(" ")}`);
}

function complaintsOf(config: Readonly<Record<string, unknown>>): string[] {
  const { acls, first = 1, last = 100, memory } = config;
  if (!Array.isArray(acls)) return ["`acls` is no list: list the network ACLs in their order, each with an `id`."];
  const strange = Object.keys(config).filter((name) => !orderArguments.includes(name));
  const isPriority = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100;
  return [
    ...strange.map((name) => `\`${name}\` is unknown: there are ${orderArguments.join(", ")}.`),
    ...Object.entries({ first, last })
      .filter(([, value]) => !isPriority(value))
      .map(([name, value]) => `\`${name}\` is ${show(value)}: give a whole number from 1 to 100.`),
    ...(memory === undefined || memory === false || typeof memory === "string"
      ? []
      : [`\`memory\` is ${show(memory)}: give the path of a file, or false.`]),
    ...acls.flatMap((acl: unknown, index) => complaintsOfEntry(acl, `acls[${index}]`)),
  ];
}

function complaintsOfEntry(acl: unknown, place: string): string[] {
  if (Construct.isConstruct(acl)) {
    return [
      `\`${place}\` is the construct ${acl.node.path}: give what it was made of, with an \`id\`; the order makes it.`,
    ];
  }
  if (!isObject(acl)) return [`\`${place}\` is ${show(acl)}: give an object of id, description and rule.`];
  const { id, priority } = acl as { readonly id?: unknown; readonly priority?: unknown };
  return [
    ...(typeof id === "string" && id !== ""
      ? []
      : [`\`${place}.id\` is ${show(id)}: give a text, by which the list keeps its priority.`]),
    ...(priority === undefined
      ? []
      : [`\`${place}.priority\` is ${show(priority)}: leave it out, the order gives it.`]),
  ];
}

/** By the path of the order, then by the name of the list. */
type Remembered = Readonly<Record<string, Readonly<Record<string, number>>>>;

function remembered(file: string): Remembered {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Remembered;
  } catch (cause) {
    throw new Error(
      `${file} is not the JSON in which priorities are noted. Mend it; or delete it, and all lists are numbered anew.`,
      { cause },
    );
  }
}

function remember(file: string, order: string, priorities: ReadonlyMap<string, number>): void {
  const all = Object.entries({ ...remembered(file), [order]: Object.fromEntries(priorities) });
  const sorted = Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  put(file, `${JSON.stringify(sorted, null, 2)}\n`, 0o644, path.dirname(file));
}
