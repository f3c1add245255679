/** Creates or adopts an object whose unique key the tenant has once. */
import { attributePath } from "../../formats/cty/path";
import { shellWord } from "../../formats/text/printable";
import type { Kind } from "../../judge/kinds/kind";
import { DiagnosticError } from "../sdk/diagnostic";
import type { Context } from "../sdk/resource";
import { Conflict } from "../../tenant/conflict";

/** `terraform import tenant_network_acl.NAME acl_…` */
export const importCommandOf = ({ type }: Kind, id: string): string => `terraform import ${type}.NAME ${shellWord(id)}`;

/**
 * Adopts an identical existing object, which an apply leaves behind if it is killed before it writes the state. Refuses a different one, and
 * one that another resource of this apply has just made.
 */
export async function createOrAdopt<T extends { id: string }>(
  kind: Kind,
  create: () => Promise<T>,
  { warn, madeHere, adopted }: Pick<Context<unknown>, "warn" | "madeHere" | "adopted">,
): Promise<T> {
  const { noun, uniqueKey } = kind;
  const key = uniqueKey.at(-1)!;
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const { id } = error.existing;
    const refuse = (detail: string) => new DiagnosticError(["TNF-ALREADY-THERE", noun], detail, attributePath(key));
    if (!error.identical) {
      throw refuse(
        `${error.message.replace(/\.$/, "")}. If this apply deletes, moves or replaces that object, apply again, with neither \`-replace\` nor \`create_before_destroy\`. ` +
          "If that object depends on this resource, apply the change of that object first. With a higher `-parallelism`, Terraform may wait for its deletion. " +
          `Otherwise give this ${noun} another \`${key}\`, or import the existing object: ${importCommandOf(kind, id)}`,
      );
    }
    if (madeHere({ id })) {
      throw refuse(
        `Another resource of this configuration already has the identical ${noun} ${id}. Its \`${key}\` was known only at the apply. ` +
          `Remove one of the two resources, or give this one another \`${key}\`.`,
      );
    }
    adopted();
    warn(
      ["TNF-ADOPTED", noun],
      `The tenant already had an identical ${noun}, ${id}, such as one of an interrupted apply or the one that this resource replaces. Terraform now manages this object ` +
        `and created no duplicate. \`terraform state list -id=${shellWord(id)}\` prints its addresses. If it prints two here, or one here and one ` +
        "for another state, keep one of them. Remove the block of the other one, and its address from its state: terraform state rm ADDRESS.",
    );
    return error.existing as T;
  }
}
