/** What a tenant has only once: said at synth where two resources of one stack claim the same. */
import { Token, TerraformStack, type TerraformResource } from "cdktf";
import type { IConstruct } from "constructs";
import { TenantProvider } from "./bindings/provider";
import { addCheck } from "./checks";
import { described } from "./described";
import { camelCase } from "./naming";
import { withUnknowns, writtenOf, type Plain } from "./plain";
import type { Definition } from "./validation";

export interface Claim {
  /** The attributes whose values, taken together, a tenant has only once. */
  readonly attributes: readonly string[];
  /** `network ACLs`. */
  readonly plural: string;
  readonly remedy: string;
  /** A resource of which this holds claims nothing. */
  readonly unless?: (plain: Plain) => boolean;
}

/** A claim of a resource in words, and the remedy if another resource claims the same. */
interface Said {
  readonly what: string;
  /** No two tenants have it. */
  readonly isUnique?: true;
  readonly remedy: string;
}

type Claimed = { readonly plural: string; read(): readonly Said[] };

const claims = new WeakMap<IConstruct, Claimed>();
const watched = new WeakSet<TerraformStack>();

/** Holds the resource against all others of its stack that make the same claim. Values that are not known yet claim nothing. */
export function claimAtSynth(construct: TerraformResource, definition: Definition, claim: Claim): void {
  claims.set(construct, {
    plural: claim.plural,
    read: () => [...claimed(construct, definition, claim), ...imported(construct, claim)],
  });
  const stack = TerraformStack.of(construct);
  if (watched.has(stack)) return;
  watched.add(stack);
  addCheck(stack, () => conflictsIn(stack));
}

function claimed(construct: TerraformResource, definition: Definition, claim: Claim): Said[] {
  // None or several, and in alternatives that exclude each other: nobody knows before apply.
  if (construct.count !== undefined || construct.forEach !== undefined) return [];
  const plain = plainOf(construct);
  if (plain && claim.unless?.(plain)) return [];
  const { defaults } = described(definition.config);
  const parts = claim.attributes.map((name) => {
    const value = plain?.[name] ?? defaults[name];
    return typeof value === "string" || typeof value === "number" ? `${camelCase(name)} ${JSON.stringify(value)}` : "";
  });
  return parts.includes("") ? [] : [{ what: parts.join(", "), remedy: claim.remedy }];
}

function plainOf(construct: TerraformResource): Plain | undefined {
  const written = writtenOf(construct);
  return written && (withUnknowns(written) as Plain);
}

/** An id names one object, which one resource can manage. */
function imported(construct: TerraformResource, { unless }: Claim): Said[] {
  const { import: imports } = construct.toTerraform() as { readonly import?: readonly { readonly id?: unknown }[] };
  const [id] = (imports ?? []).map((one) => one.id);
  if (typeof id !== "string" || Token.isUnresolved(id)) return [];
  const plain = plainOf(construct);
  if (plain && unless?.(plain)) return [];
  const remedy = "Each apply of one would undo the other: import the object once.";
  return [{ isUnique: true, what: `id to import, ${JSON.stringify(id)}`, remedy }];
}

function conflictsIn(stack: TerraformStack): string[] {
  const claimants = new Map<string, Said & { plural: string; paths: string[] }>();
  for (const construct of stack.node.findAll()) {
    const made = claims.get(construct);
    if (!made || TerraformStack.of(construct) !== stack) continue;
    const tenant = tenantOf(construct as TerraformResource, stack);
    for (const said of made.read()) {
      const key = JSON.stringify([said.isUnique ? "" : tenant, made.plural, said.what]);
      const entry = claimants.get(key) ?? { ...said, plural: made.plural, paths: [] };
      entry.paths.push(construct.node.path);
      claimants.set(key, entry);
    }
  }
  return [...claimants.values()]
    .filter(({ paths }) => paths.length > 1)
    .map(
      ({ plural, what, remedy, paths }) =>
        `${paths.length} ${plural} of this stack have the same ${what}: ${paths.join(", ")}. ${remedy}`,
    );
}

/** By the literal that its provider configuration has: another configuration without one may be another tenant. */
function tenantOf({ provider }: TerraformResource, stack: TerraformStack): string {
  const providers = stack.node.findAll().filter((construct) => construct instanceof TenantProvider);
  const own = providers.find((one) => one === provider || (!provider && one.alias === undefined));
  const written = own?.endpointInput ?? own?.domainInput;
  const alias = provider?.alias ?? "";
  if (written === undefined || Token.isUnresolved(written)) return `alias ${alias}`;
  return `host ${written.replace(/^https:\/\/|\/+$/gi, "").toLowerCase()}`;
}
