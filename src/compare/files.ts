/** Reads one side of a comparison from a plan, a state, a synthesized stack, or HCL files with literals. */
import { readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { andWords } from "../impact/list-words";
import { asPlanned } from "../impact/expiry/ends";
import { kindOf } from "../kinds/kinds";
import { ReviewError } from "../review/error";
import type { Edge } from "../review/input";
import { objectsOf } from "../review/objects";
import { Unreadable } from "../review/places/block";
import type { Plan } from "../review/plan";
import { bare } from "../review/share";
import { readInput } from "../review/test-command/inputs";
import { tenantsIn } from "../review/tenants";
import { resourcesIn } from "./hcl-objects";
import { organizationNames, organizationType } from "./organization-names";
import type { Side, SideObject } from "./side";

export async function readSide(name: string, edge: Edge): Promise<Side> {
  const sources = hclFiles(name);
  if (sources.length > 0) return sideOfHcl(name, sources);
  if (name.endsWith(".ts")) {
    throw new ReviewError(
      `${name} is a program. Run \`cdktf synth\`, and compare the folder of its stack in cdktf.out.`,
    );
  }
  const named = await readInput(name, edge);
  const tenants = tenantsIn(named);
  if (tenants.length > 1) {
    const names = tenants.map((tenant) => tenant.name).join(", ");
    throw new ReviewError(
      `${name} has objects of several tenants (${names}). Give a plan, a state or a stack of one tenant.`,
    );
  }
  return sideOfPlans(name, tenants[0]!.plans);
}

function sideOfPlans(name: string, plans: readonly Plan[]): Side {
  const objects = plans.flatMap((plan) => objectsOf(plan)).filter(({ after, isDeposed }) => after && !isDeposed);
  const cut = plans.filter(({ complete, errored }) => complete === false || errored === true);
  const others = plans.flatMap(({ resource_changes: changes }) =>
    changes
      .filter(({ mode = "managed", change }) => mode === "managed" && change.after !== null)
      .map(({ type }) => type),
  );
  const names = organizationNames(plans);
  const whole = (reason: string) => `the other objects of ${name}: ${reason}`;
  return {
    name,
    objects: objects.map(({ type, address, after, afterSensitive }): SideObject => {
      const organization = names.byId.get(String(after!["organization_id"])) ?? names.bySet.get(bare(address));
      return {
        kind: kindOf(type)!,
        label: address,
        values: withEntries(type, after!),
        ...(organization !== undefined && { organization }),
        ...(afterSensitive !== undefined && { sensitive: afterSensitive }),
      };
    }),
    unknown: [
      ...cut.map(() => whole("the plan is incomplete")),
      ...plans.flatMap(({ incomplete }) => (incomplete === undefined ? [] : [whole(incomplete)])),
      ...plans.flatMap(({ unplanned = [] }) => unplanned.map((stack) => whole(`stack ${stack} has no plan`))),
      ...unreadKinds(others, name),
    ],
    unread: [],
    isTenant: false,
  };
}

/** A resource of the Go provider may hold one member. An object of ours may have passed its end. */
const withEntries = (type: string, values: SideObject["values"]): SideObject["values"] =>
  kindOf(type)?.goProvider.some((theirs) => theirs.type === type && theirs.entry === "user_id")
    ? { organization_id: values["organization_id"], members: [values["user_id"]], exclusive: false }
    : asPlanned(kindOf(type)!, values, Date.now());

/** Kinds of a tenant that this version does not compare. */
function unreadKinds(types: readonly string[], name: string): string[] {
  const found = [...new Set(types.filter((type) => /^(?:tenant|auth0)_|^module$/.test(type) && !kindOf(type)))];
  const expected = found.filter((type) => !["tenant_expectations", organizationType].includes(type));
  return expected.length === 0
    ? []
    : [`${andWords(expected.slice(0, 5))} in ${name}, which this version does not read`];
}

/** A file that `adopt` wrote, or a folder of such files without a synthesized stack or a plan. */
function hclFiles(name: string): string[] {
  if (/\.(?:tf|tofu)$/.test(name)) return [name];
  if (statSync(name, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const files = readdirSync(name);
  const isPlanned = ["plan", "plan.json", "cdk.tf.json", "manifest.json"].some((file) => files.includes(file));
  return isPlanned ? [] : files.filter((file) => /\.(?:tf|tofu)$/.test(file)).map((file) => path.join(name, file));
}

function sideOfHcl(name: string, files: readonly string[]): Side {
  const resources = files.flatMap((file) => {
    try {
      return resourcesIn(readFileSync(file, "utf8"));
    } catch (error) {
      if (error instanceof Unreadable) throw new ReviewError(`${file}, ${error.message}`);
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      throw new ReviewError(`${file} cannot be read (${code}).`);
    }
  });
  const repeated = resources.filter(({ values }) => ["count", "for_each"].some((one) => values[one] !== undefined));
  return {
    name,
    objects: resources.flatMap(({ type, address, values }) => {
      const kind = kindOf(type);
      return kind ? [{ kind, label: address, values: withEntries(type, values) }] : [];
    }),
    unknown: [
      ...repeated.map(({ address }) => `the other objects of ${name}: only a plan shows the objects of ${address}`),
      ...unreadKinds(
        resources.map(({ type }) => type),
        name,
      ),
    ],
    unread: [],
    isTenant: false,
  };
}
