/** What a tenant has only once: said at synth where two resources of one stack claim the same. */
import { TerraformStack, type TerraformResource } from "cdktf";
import type { IConstruct } from "constructs";
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

type Claimed = { readonly claim: Claim; read(): string | undefined };

const claims = new WeakMap<IConstruct, Claimed>();
const watched = new WeakSet<TerraformStack>();

/** Holds the resource against all others of its stack that make the same claim. Values that are not known yet claim nothing. */
export function claimAtSynth(construct: TerraformResource, definition: Definition, claim: Claim): void {
  claims.set(construct, { claim, read: () => claimed(construct, definition, claim) });
  const stack = TerraformStack.of(construct);
  if (watched.has(stack)) return;
  watched.add(stack);
  addCheck(stack, () => conflictsIn(stack));
}

function claimed(construct: TerraformResource, definition: Definition, claim: Claim): string | undefined {
  // None or several, and in alternatives that exclude each other: nobody knows before apply.
  if (construct.count !== undefined || construct.forEach !== undefined) return undefined;
  const written = writtenOf(construct);
  const plain = written && (withUnknowns(written) as Plain);
  if (plain && claim.unless?.(plain)) return undefined;
  const { defaults } = described(definition.config);
  const parts = claim.attributes.map((name) => {
    const value = plain?.[name] ?? defaults[name];
    return typeof value === "string" || typeof value === "number" ? `${camelCase(name)} ${JSON.stringify(value)}` : "";
  });
  return parts.includes("") ? undefined : parts.join(", ");
}

function conflictsIn(stack: TerraformStack): string[] {
  const claimants = new Map<string, { claim: Claim; what: string; paths: string[] }>();
  for (const construct of stack.node.findAll()) {
    const made = claims.get(construct);
    if (!made || TerraformStack.of(construct) !== stack) continue;
    const what = made.read();
    if (what === undefined) continue;
    // Another provider configuration may be another tenant.
    const tenant = (construct as TerraformResource).provider?.alias ?? "";
    const key = JSON.stringify([tenant, made.claim.plural, what]);
    const entry = claimants.get(key) ?? { claim: made.claim, what, paths: [] };
    entry.paths.push(construct.node.path);
    claimants.set(key, entry);
  }
  return [...claimants.values()]
    .filter(({ paths }) => paths.length > 1)
    .map(
      ({ claim, what, paths }) =>
        `${paths.length} ${claim.plural} of this stack have the same ${what}: ${paths.join(", ")}. ${claim.remedy}`,
    );
}
