/** What each resource construct does beside its generated class. */
import { type TerraformResource, Token, type TerraformStack } from "cdktf";
import type { Kind } from "../judge/kinds/kind";
import { recordOrigin, placeOf, sharedMap } from "./origin";
import { checkAtSynth, type Definition } from "./validation";
import type { IConstruct } from "constructs";
import { withUnknowns } from "../formats/cty/template";
import { sharing } from "../judge/impact/value";
import { addCheckOfAll } from "./checks";
import { described } from "./described";
import { camelCase } from "./naming";
import { writtenOf, type Plain } from "./plain";
import { tenantsIn } from "./tenant";

/** Records the line that creates the construct. Synth checks the construct, and that no other one claims its key or its id. */
export function checkResource(
  construct: TerraformResource,
  kind: Kind,
  definition: Definition,
  written: object,
  claim: Claim = {},
): void {
  recordOrigin(construct);
  checkAtSynth(construct, definition, written);
  claimAtSynth(construct, kind, definition, claim);
}

// Refuses at synth two resources of one stack that claim what a tenant has only once.

interface Claim {
  /** `member sets`. Default: that of the kind. */
  readonly plural?: string;
  readonly remedy?: string;
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

/** Compares the resource with all others of its stack. Unknown values claim nothing. */
function claimAtSynth(construct: TerraformResource, kind: Kind, definition: Definition, claim: Claim): void {
  const { plural = kind.plural, unless } = claim;
  const read = () => {
    const written = writtenOf(construct);
    const plain = written && (withUnknowns(written) as Plain);
    if (plain && unless?.(plain)) return [];
    return [...keyOf(construct, kind, definition, claim, plain), ...importOf(construct)];
  };
  claimants.set(construct, { plural, read });
  addCheckOfAll("claims", construct, (constructs, stack) => [...merged(constructs), ...conflictsIn(constructs, stack)]);
}

/** `overrideLogicalId` can give two resources one name in the file, where cdktf merges them into one. */
function merged(constructs: readonly TerraformResource[]): string[] {
  const names = constructs.map((one) => ({
    place: placeOf(one),
    name: `${one.terraformResourceType}.${one.friendlyUniqueId}`,
  }));
  return sharing(names, ({ name }) => name).map(
    (group) =>
      `${group.map(({ place }) => place).join(" and ")} have the same logical id, so the file would have only one resource, ` +
      `${group[0]!.name}. Give each its own name in overrideLogicalId.`,
  );
}

function keyOf(
  construct: TerraformResource,
  { uniqueKey }: Kind,
  { config }: Definition,
  { remedy = `The tenant refuses all but one: give each its own ${camelCase(uniqueKey.at(-1)!)}.` }: Claim,
  plain?: Plain,
): Claimed[] {
  // With `count` or `forEach` there may be no object, or several that exclude each other.
  if (construct.count !== undefined || construct.forEach !== undefined) return [];
  const { defaults } = described(config);
  const parts = uniqueKey.map((name) => {
    const value = plain?.[name] ?? defaults[name];
    return typeof value === "string" || typeof value === "number" ? `${camelCase(name)} ${JSON.stringify(value)}` : "";
  });
  return parts.includes("") ? [] : [{ what: parts.join(", "), remedy }];
}

/** An id names one object, which one resource can manage. */
function importOf(construct: TerraformResource): Claimed[] {
  const { import: imports } = construct.toTerraform() as { readonly import?: readonly { readonly id?: unknown }[] };
  const [id] = (imports ?? []).map((one) => one.id);
  if (typeof id !== "string" || Token.isUnresolved(id)) return [];
  const remedy = "Each apply of one resource would undo the other. Import the object once. [TNF-DUPLICATE]";
  return [{ isUnique: true, what: `id to import, ${JSON.stringify(id)}`, remedy }];
}

function conflictsIn(constructs: readonly TerraformResource[], stack: TerraformStack): string[] {
  const tenantOf = tenantsIn(stack);
  const claims = constructs.flatMap((construct) => {
    const made = claimants.get(construct)!;
    const tenant = tenantOf(construct);
    return made.read().map((claimed) => ({
      ...claimed,
      plural: made.plural,
      place: placeOf(construct),
      key: JSON.stringify([claimed.isUnique ? "" : tenant, made.plural, claimed.what]),
    }));
  });
  return sharing(claims, ({ key }) => key).map((group) => {
    const { plural, what, remedy } = group[0]!;
    return `${group.length} ${plural} of this stack have the same ${what}: ${group.map(({ place }) => place).join(", ")}. ${remedy}`;
  });
}
