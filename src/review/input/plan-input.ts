/** Everything that a review reads of one plan. It is read once: nothing later sees the JSON of the plan. */
import type { Place } from "../../judge/impact/cause";
import type { TenantDoubt } from "../../judge/impact/effect";
import { bare, withoutDeposed, type PlannedObject, type Values } from "../../judge/impact/model";
import { kindOf } from "../../judge/kinds/kinds";
import { UserError } from "../../formats/text/user-error";
import { blocksIn, hostsIn, type ProviderBlock } from "./blocks";
import { changesOf, type ListedChange } from "./changes";
import { namesIn, type PlanNames } from "./names";
import { deferredOf, driftOf, isOurs, objectsOf } from "./objects";
import { declaredIn, priorResources, type Plan, type RunError } from "./plan";

/** Programs that the apply runs: an action, or the provisioners of an object. */
export interface Invoked {
  readonly address: string;
  readonly type: string;
  /** The kinds of the provisioners. */
  readonly paths: readonly string[];
}

export interface PlanInput {
  /** The name of the plan in messages, if there are several plans. */
  readonly name?: string;
  /** The provider configurations of its tenant, if the plan is for several tenants. */
  readonly configs?: readonly string[];
  readonly source?: Plan["source"];
  /** The objects that it manages, those of the Go provider too: also those that -target left out. */
  readonly all: readonly PlannedObject[];
  /** Those of a kind. */
  readonly objects: readonly PlannedObject[];
  readonly drift: readonly PlannedObject[];
  /** The objects of all providers whose change Terraform leaves to a later plan. */
  readonly deferred: readonly PlannedObject[];
  /** The data sources that were read before or while planning: their types and values. */
  readonly data: readonly { readonly type: string; readonly values: Values }[];
  /** What the apply runs beside changes: actions of this provider and of the Go provider, and the programs of any resource. */
  readonly invoked: readonly Invoked[];
  /** The types of all resources that it changes or reads. */
  readonly types: ReadonlySet<string>;
  readonly changes: () => readonly ListedChange[];
  readonly blocks: readonly ProviderBlock[];
  /** Address without indexes -> the key of the provider configuration. */
  readonly homes: ReadonlyMap<string, string>;
  /** The hosts that its provider blocks name. */
  readonly hosts: readonly string[];
  readonly terraform?: string;
  readonly places: ReadonlyMap<string, Place>;
  readonly names: () => PlanNames;
  /** Left out: the plan does not say it. */
  readonly isWhole?: boolean;
  /** A part of a synthesized stack of which only a plan shows the objects. */
  readonly incomplete?: string;
  readonly hasFailed: boolean;
  /** The errors of the run of `terraform plan`, if it failed. */
  readonly errors: readonly RunError[];
  /** Effects that the provider printed in the same run: `✖ Blocks … [TNF-ACL-TIGHTENED]`. */
  readonly printed: readonly string[];
  /** Stacks of the same project that have no plan. */
  readonly unplanned: readonly string[];
  /** Reasons why nothing about the tenant is proven, in sentences. */
  readonly uncertainties: readonly TenantDoubt[];
}

/** The part of a plan that belongs, or may belong, to one tenant. */
export interface PlanPart {
  readonly plan: Plan;
  /** `idle`: its provider configurations that no resource of the whole plan uses. */
  readonly idle: ReadonlySet<string>;
  readonly homes: ReadonlyMap<string, string>;
  readonly unplaced?: ReadonlySet<string>;
  readonly uncertainties?: readonly TenantDoubt[];
}

type About = Pick<PlanInput, "name" | "configs"> & { readonly unplanned?: readonly string[] };

/** `called`: the plan in messages. */
export const planInput = (part: PlanPart, called: string, about: About = {}): PlanInput =>
  readably(called, () => readPart(part, called, about));

/** Values of a plan may have any form, because the plan may come from another provider. Throws a UserError for one that no plan has. */
export function readably<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError)
      throw new UserError(`${name} has a value of a form that the review does not know (${error.message}).`);
    // The stack is full.
    if (error instanceof RangeError)
      throw new UserError(`${name} nests too deeply for the review: give a plan whose values have fewer levels.`);
    throw error;
  }
}

/** Types of actions and data sources that run a program. */
const runPrograms: ReadonlySet<string> = new Set(["external", "local_command"]);

function readPart(part: PlanPart, called: string, about: About): PlanInput {
  const { plan, idle, homes, unplaced, uncertainties = [] } = part;
  const { name } = about;
  const { source, errored, complete, errors = [], places = new Map<string, Place>(), incomplete } = plan;
  const declared = declaredIn(plan);
  const all = objectsOf(plan, { name, unplaced });
  const actions = (plan.action_invocations ?? []).filter(({ type }) => isOurs(type) || runPrograms.has(type));
  const reads = plan.resource_changes.filter(
    ({ type, change }) => change.actions.includes("read") && runPrograms.has(type),
  );
  const invoked: Invoked[] = [...actions, ...reads].map(({ address, type }) => ({ address, type, paths: [] }));
  // Provisioners run when an object is made or destroyed, and a program may change anything.
  for (const { address, type, change } of plan.resource_changes) {
    if (!change.actions.includes("create") && !change.actions.includes("delete")) continue;
    const paths = (declared.get(bare(address))?.provisioners ?? []).map((one) => String(Object(one).type));
    if (paths.length > 0) invoked.push({ address, type, paths: [...new Set(paths)] });
  }
  const data = priorResources(plan).filter(({ mode }) => mode === "data");
  return {
    ...withObjects(all),
    drift: driftOf(plan, { name, unplaced }),
    deferred: plan.deferred_changes ? deferredOf(plan.deferred_changes, { name, unplaced }) : [],
    data,
    invoked,
    types: new Set([...plan.resource_changes, ...data].map(({ type }) => type)),
    changes: () => readably(called, () => changesOf(plan, declared)),
    blocks: blocksIn(plan, idle, name),
    homes,
    hosts: hostsIn(plan),
    places,
    names: () => namesIn(plan, declared, name),
    hasFailed: errored === true,
    errors: errors.filter(({ isWarning }) => !isWarning),
    printed: errors.flatMap(({ isWarning, summary, detail }) => (isWarning ? effectsIn(`${summary} ${detail}`) : [])),
    uncertainties,
    unplanned: [],
    ...about,
    ...(source && { source }),
    ...(plan.terraform_version !== undefined && { terraform: plan.terraform_version }),
    ...(incomplete !== undefined && { incomplete }),
    ...((errored ?? false) !== false ? { isWhole: false } : complete !== undefined && { isWhole: complete === true }),
  };
}

/** The lines of a warning of the provider. */
const effectsIn = (text: string): string[] => text.match(/[✖●○] .*?\[TNF-[A-Z-]+\]/g) ?? [];

export const withObjects = (all: readonly PlannedObject[]) => ({
  all,
  objects: all.filter(({ type }) => kindOf(type)),
});

/** Whether the plan covers everything that it manages. A plan with -refresh-only is complete although it has no changes. */
export const isComplete = ({ isWhole, objects }: PlanInput): boolean =>
  isWhole ?? !objects.some(({ notTargeted }) => notTargeted);

/** The key of the provider configuration of an object. Undefined: the configuration does not show it. */
export const homeOf = ({ homes }: PlanInput, { address }: Pick<PlannedObject, "address">): string | undefined =>
  homes.get(withoutDeposed(bare(address)));
