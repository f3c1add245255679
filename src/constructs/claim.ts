/** Refuses at synth two resources of one stack that claim what a tenant has only once. */
import { Token, TerraformStack, type TerraformResource } from "cdktf";
import type { IConstruct } from "constructs";
import { withUnknowns } from "../cty/template";
import { sharing } from "../impact/objects/duplicates";
import { addCheck } from "./checks";
import { described } from "./described";
import { camelCase } from "./naming";
import { writtenOf, type Plain } from "./plain";
import { sharedMap } from "./shared";
import { tenantsIn } from "./tenant";
import type { Definition } from "./validation";

export interface Claim {
  /** A tenant has each combination of their values only once. */
  readonly attributes: readonly string[];
  /** `network ACLs`. */
  readonly plural: string;
  readonly remedy: string;
  /** A resource for which this returns true claims nothing. */
  readonly unless?: (plain: Plain) => boolean;
}

/** One claim of a resource, in words. */
interface Claimed {
  readonly what: string;
  /** No two tenants have it. */
  readonly isUnique?: true;
  readonly remedy: string;
}

interface Claimant {
  readonly plural: string;
  read(): readonly Claimed[];
}

const claimants = sharedMap<IConstruct, Claimant>("claimants");
const watched = sharedMap<TerraformStack, true>("watched");

/** Compares the resource with all others of its stack. Unknown values claim nothing. */
export function claimAtSynth(construct: TerraformResource, definition: Definition, claim: Claim): void {
  claimants.set(construct, {
    plural: claim.plural,
    read: () => claimsOf(construct, definition, claim),
  });
  const stack = TerraformStack.of(construct);
  if (watched.has(stack)) return;
  watched.set(stack, true);
  addCheck(stack, () => conflictsIn(stack));
}

function claimsOf(construct: TerraformResource, definition: Definition, claim: Claim): Claimed[] {
  const written = writtenOf(construct);
  const plain = written && (withUnknowns(written) as Plain);
  if (plain && claim.unless?.(plain)) return [];
  return [...valuesOf(construct, definition, claim, plain), ...importOf(construct)];
}

function valuesOf(construct: TerraformResource, definition: Definition, claim: Claim, plain?: Plain): Claimed[] {
  // With `count` or `forEach` there may be no object, or several that exclude each other.
  if (construct.count !== undefined || construct.forEach !== undefined) return [];
  const { defaults } = described(definition.config);
  const parts = claim.attributes.map((name) => {
    const value = plain?.[name] ?? defaults[name];
    return typeof value === "string" || typeof value === "number" ? `${camelCase(name)} ${JSON.stringify(value)}` : "";
  });
  return parts.includes("") ? [] : [{ what: parts.join(", "), remedy: claim.remedy }];
}

/** An id names one object, which one resource can manage. */
function importOf(construct: TerraformResource): Claimed[] {
  const { import: imports } = construct.toTerraform() as { readonly import?: readonly { readonly id?: unknown }[] };
  const [id] = (imports ?? []).map((one) => one.id);
  if (typeof id !== "string" || Token.isUnresolved(id)) return [];
  const remedy = "Each apply of one resource would undo the other. Import the object once. [TNF-DUPLICATE]";
  return [{ isUnique: true, what: `id to import, ${JSON.stringify(id)}`, remedy }];
}

function conflictsIn(stack: TerraformStack): string[] {
  const tenantOf = tenantsIn(stack);
  const claims = stack.node.findAll().flatMap((construct) => {
    const made = claimants.get(construct);
    if (!made || TerraformStack.of(construct) !== stack) return [];
    const tenant = tenantOf(construct as TerraformResource);
    return made.read().map((claimed) => ({
      ...claimed,
      plural: made.plural,
      path: construct.node.path,
      key: JSON.stringify([claimed.isUnique ? "" : tenant, made.plural, claimed.what]),
    }));
  });
  return sharing(claims, ({ key }) => key).map((group) => {
    const { plural, what, remedy } = group[0]!;
    return `${group.length} ${plural} of this stack have the same ${what}: ${group.map(({ path }) => path).join(", ")}. ${remedy}`;
  });
}
