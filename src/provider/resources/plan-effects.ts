/** Judges all changes of a plan together, and lays out their effects as a warning. */
import { wholePlan } from "../sdk/diagnostic";
import type { Titled } from "../../judge/codes/codes";
import { inOrder, isAtLeast, type Effect, type Level } from "../../judge/impact/effect";
import type { PlannedObject, Remote, Values } from "../../judge/impact/model";
import { analyseAcls } from "../../judge/impact/network-acl/analysis";
import { aclEffects, logEffects } from "../../judge/impact/network-acl/effects";
import { aclVersions } from "../../judge/impact/network-acl/acl";
import { judgedEffects, judgeObjects } from "../../judge/impact/objects/judged";
import { withName } from "../../judge/impact/value";
import { briefLine, signOf } from "../../judge/impact/words/words";
import { networkAcl } from "../../judge/kinds/network-acl";

export interface ToldChange {
  /** `Network ACL "Office" (acl_…)`. Terraform does not tell a provider the addresses of resources. */
  readonly title: string;
  readonly object: PlannedObject;
  /** The members that the tenant lists. */
  readonly members?: Remote["organization_members"];
  /** Whether it may have an effect of the level medium or worse. */
  readonly mayMatter: boolean;
}

interface PlanWarningInput {
  /** All changes of the plan so far. */
  readonly all: readonly ToldChange[];
  readonly level: Level;
  /** The network ACLs of the tenant. Undefined: not known. */
  readonly acls: readonly object[] | undefined;
  /** The lines of earlier warnings. */
  readonly told: ReadonlySet<string>;
}

/** The message lists the first ones. */
const most = 50;

interface PlanWarning {
  readonly code: Titled;
  readonly detail: string;
  readonly lines: readonly string[];
}

/** Undefined: there is nothing new to tell. */
export function planWarning({ all, level, acls, told }: PlanWarningInput): PlanWarning | undefined {
  const shown = planEffects(all, acls).filter((one) => isAtLeast(one.level, level));
  const lines = shown.map((one) => `${signOf(one.level)} ${briefLine(one)}`).filter((line) => !told.has(line));
  const [worst, ...others] = lines.slice(0, most);
  if (worst === undefined) return undefined;
  const rest = lines.length > most ? [`- and ${lines.length - most} more`] : [];
  const list = others.length > 0 ? [[...others.map((line) => `- ${line}`), ...rest].join("\n")] : [];
  const isAlone = !acls && all.some(({ object }) => isAcl(object));
  return {
    code: ["TNF-PLAN-EFFECTS", worst],
    detail: [wholePlan, ...list, ...(isAlone ? [alone] : []), advice].join("\n\n"),
    lines,
  };
}

const alone = "The plan did not read the other network ACLs of the tenant. They may change what the planned ones do.";

const advice =
  "Run `npx tenantform review` to see which requests change their outcome. " +
  'Set `plan_warnings` in the provider block to the lowest level that plans show, such as "high", or to "off".';

const isAcl = ({ type }: PlannedObject) => type === networkAcl.type;

/** The worst first. `acls`: the network ACLs of the tenant. */
function planEffects(all: readonly ToldChange[], acls: readonly object[] = []): Effect[] {
  const named = new Map(all.map((change, index) => [`change ${index + 1}`, change]));
  const objects = [...named].map(([address, { object }]) => withAddress(object, address));
  const members = new Map(all.flatMap((change) => [...(change.members ?? [])]));
  const effects = [
    ...effectsOfAcls(objects.filter(isAcl), acls as readonly Values[]),
    ...judgedEffects(judgeObjects(objects, { organization_members: members })),
  ];
  const titled = ({ address, ...rest }: Effect["cause"][number]) => ({ ...rest, address: named.get(address)!.title });
  return inOrder(effects).map((effect) => ({ ...effect, cause: effect.cause.map(titled) }));
}

function effectsOfAcls(changed: readonly PlannedObject[], acls: readonly Values[]): Effect[] {
  if (changed.length === 0) return [];
  const analysis = analyseAcls(aclVersions([changed], acls));
  return [...aclEffects(analysis), ...logEffects(analysis)];
}

function withAddress(object: PlannedObject, address: string): PlannedObject {
  const { after, ...rest } = object;
  return { ...rest, address, ...(after && { after: withName(after, `the unknown part of ${address}`) as Values }) };
}
