/** Objects of which the tenant takes only one: made already, or about to be made while the same one goes. */
import { attributePath } from "../cty/path";
import { isWhollyKnown, type Value } from "../cty/value";
import { Refusal, type Context, type ReviewContext } from "../sdk/resource";
import { isTenantError } from "../tenant/error";

/**
 * Makes an object; `key` is the attribute of which the tenant has each value once. Where the tenant has one already that
 * is the same in everything, as after an apply that was killed between the request and the state, that one is taken over;
 * a different one is named for an import.
 */
export async function createOrTakeOver<T extends { id: string }>(
  { kind, type, key }: { kind: string; type: string; key: string },
  create: () => Promise<T>,
  find: () => Promise<{ found: T; same: boolean } | undefined>,
  { warn }: Pick<Context<unknown>, "warn">,
): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!isTenantError(error, "conflict", "already_there", "priority_taken")) throw error;
    const other = await find();
    if (!other) throw error;
    if (!other.same) {
      throw new Refusal(
        "Already there",
        `${error.message} It is ${other.found.id}: give this ${kind} other values, or take that one over with ` +
          `terraform import ${type}.NAME ${other.found.id}.`,
        attributePath(key),
      );
    }
    warn(
      "Taken over",
      `The tenant had ${kind} ${other.found.id} already, the same in everything, as after an apply that was cut short. It is ` +
        "managed from here on, and was not made a second time.",
    );
    return other.found;
  }
}

/** Reports an object that goes while the very same is made: the order of the two is Terraform's to choose, so one may be lost. */
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
    summary: `One ${kind} goes and the same is made`,
    detail:
      `This plan has ${kind} ${String(gone)}, which goes, and ${kind} that is new, alike in everything. If the resource has ` +
      "only got another name, say so, and nothing is touched: moved { from = OLD ADDRESS, to = NEW ADDRESS }.",
  });
}
