/** Handles new objects that are identical to an existing object. */
import { attributePath } from "../cty/path";
import { isWhollyKnown, type Value } from "../cty/value";
import type { Kind } from "../kinds/kind";
import { DiagnosticError } from "../sdk/diagnostic";
import type { Context, ReviewContext } from "../sdk/resource";
import { shellWord } from "../text/shell-word";
import { Conflict } from "../tenant/conflict";
import type { Change } from "../sdk/definition";

/**
 * Creates an object whose unique key the tenant has once. Adopts an identical existing object, which an apply leaves behind if it is killed
 * before it writes the state. Refuses a different one. Terraform does not tell an apply which objects of the state stay unchanged, so a
 * create whose key only the apply knew may adopt one of these; the next plan then names both addresses.
 */
export async function createOrAdopt<T extends { id: string }>(
  kind: Kind,
  create: () => Promise<T>,
  { warn }: Pick<Context<unknown>, "warn">,
): Promise<T> {
  const { noun, uniqueKey } = kind;
  const key = uniqueKey.at(-1)!;
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const { id } = error.existing;
    if (!error.identical) {
      throw new DiagnosticError(
        ["TNF-ALREADY-THERE", noun],
        `${error.message.replace(/\.$/, "")}. If this apply deletes, moves or replaces that object, apply again, without \`-replace\`. ` +
          "With a higher `-parallelism`, this create may wait for the deletion. " +
          `Otherwise give this ${noun} another \`${key}\`, or import the existing object: ${importCommandOf(kind, id)}`,
        attributePath(key),
      );
    }
    warn(
      ["TNF-ADOPTED", noun],
      `The tenant already had the identical ${noun} ${id}, probably from an interrupted apply. Terraform now manages this object ` +
        `and created no duplicate. If \`terraform state list -id=${shellWord(id)}\` prints two addresses, take one of them out of ` +
        "the state: terraform state rm ADDRESS.",
    );
    return error.existing as T;
  }
}

/** `terraform import tenant_network_acl.NAME acl_…` */
export const importCommandOf = ({ type }: Kind, id: string): string => `terraform import ${type}.NAME ${shellWord(id)}`;

/** Refuses to destroy an object and create an identical one: Terraform chooses the order, so the new object could be lost. */
export function reportRename(
  kind: string,
  content: object,
  identity: string | undefined,
  { plan, report }: ReviewContext<unknown>,
): void {
  if (!isWhollyKnown(content as Value)) return;
  const other = plan.counterpart(content);
  if (!other) return;
  const [gone] = [identity, ...Object.values(other.identity ?? {})].filter((id) => id !== undefined);
  report({
    severity: "error",
    code: ["TNF-RENAMED", kind],
    detail:
      `This plan destroys ${kind} ${String(gone)} and creates an identical one. If you renamed the resource or moved it into a module, ` +
      "write this block with both addresses. The object then stays unchanged.\n\n" +
      "moved {\n  from = OLD_ADDRESS\n  to   = NEW_ADDRESS\n}\n\n" +
      `Terraform does not tell the provider the addresses. \`terraform state list -id=${shellWord(String(gone))}\` prints the old ` +
      "address. The plan shows the new one.",
  });
}

/** Names the object for people: its kind, its id, and how this resource configures it. */
export interface Claimed {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
}

/** Reports the second resource of an object, unless both resources destroy the object. */
export function claimIdentity(
  { kind, id, title }: Claimed,
  { action }: Pick<Change, "action">,
  { plan, report }: Pick<ReviewContext<unknown>, "plan" | "report">,
): void {
  const goes = action === "destroy";
  const wish = goes ? "destroys it" : `manages it as ${title}`;
  const other = plan.claim(["identity", kind, id], wish, { shared: goes });
  if (other === undefined) return;
  report({
    severity: "error",
    code: ["TNF-DUPLICATE", kind],
    detail:
      `\`id\` is ${JSON.stringify(id)} in two resources of this configuration: one of them ${wish}, the other ${other}. Each apply of ` +
      "one would undo the other. Keep one of the two resources. Delete the import block of the second one, or take it out of the " +
      "state: removed { from = ADDRESS, lifecycle { destroy = false } }, or terraform state rm ADDRESS. Nothing was changed. [TNF-DUPLICATE]",
  });
}
