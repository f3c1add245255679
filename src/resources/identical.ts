/** Objects of which the tenant takes only one: made already, or about to be made while the same one goes. */
import { attributePath } from "../cty/path";
import { isWhollyKnown, type Value } from "../cty/value";
import { DiagnosticError } from "../sdk/diagnostic";
import type { Context, ReviewContext } from "../sdk/resource";
import { Conflict } from "../tenant/conflict";
import type { Host } from "./engine";

/**
 * Makes an object, of which the tenant has each value of `key` once. Where it has one already that is the same in everything,
 * as after an apply that was killed between the request and the state, that one is adopted; a different one is refused.
 */
export async function createOrAdopt<T extends { id: string }>(
  { kind, type, key }: { kind: string; type: string; key: string },
  create: () => Promise<T>,
  { warn, client }: Pick<Context<Host>, "warn" | "client">,
): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const { id } = error.existing;
    if (!error.identical) {
      throw new DiagnosticError(
        "Already there",
        `${error.message.replace(/\.$/, "")}: give this ${kind} another \`${key}\`, or take that one over with ` +
          `${client.importCommand(type, id)}.`,
        attributePath(key),
      );
    }
    if (!client.mayTakeOver) {
      throw new DiagnosticError(
        "Already there",
        `The tenant has ${kind} ${id} already, the same in everything. Of an object that only got another name, give the old one in ` +
          `\`aliases\`; else import it: ${client.importCommand(type, id)}`,
        attributePath(key),
      );
    }
    warn(
      "Taken over",
      `The tenant had ${kind} ${id} already, the same in everything, as after an apply that was cut short. It is managed ` +
        "from here on, and was not made a second time.",
    );
    return error.existing as T;
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
