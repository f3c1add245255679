/** Reviews one change with the help of its resource. */
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import { identityOf, type Change } from "./definition";
import { protocolDiagnostic } from "./diagnostic";
import type { Private } from "./private";
import type { Resource } from "./resource";
import { isHopeless, notDone, reportOnce, type Session, type Surroundings } from "./session";

export interface Reviewed {
  readonly objectKey?: string | undefined;
  readonly diagnostics: readonly ProtocolDiagnostic[];
  /** Whether the apply must review the change again. */
  readonly again: boolean;
}

export async function review<Client>(
  surroundings: Surroundings<Client>,
  resource: Resource<Client>,
  kept: Private,
  change: Change,
  { isApply = false } = {},
): Promise<Reviewed> {
  const session = surroundings.session();
  if (!session) return { objectKey: kept.objectKey, diagnostics: [], again: false };
  const plan = enter(session, resource, kept, change, isApply);
  const { objectKey } = plan;
  const diagnostics: ProtocolDiagnostic[] = [];
  let again = false;
  try {
    if (isHopeless(session)) return { objectKey, diagnostics, again: true };
    const { client } = session;
    const isGone = change.action === "destroy" && !isApply && client && (await resource.isGone?.(change.prior, client));
    if (isGone) return { objectKey, diagnostics, again };
    await resource.review?.(change, {
      client,
      plan,
      privateState: kept.own,
      log: surroundings.log,
      report: (diagnostic) => diagnostics.push(protocolDiagnostic({ path: [], ...diagnostic })),
      reviewAgain: () => (again = true),
    });
  } catch (error) {
    again = true;
    diagnostics.push(...reportOnce(surroundings, error, isApply ? notDone : undefined));
  } finally {
    plan.planned();
  }
  return { objectKey, diagnostics, again };
}

function enter<Client>(
  { registry }: Session<Client>,
  { definition }: Resource<Client>,
  { objectKey, replaced }: Private,
  change: Change,
  isApply: boolean,
) {
  const entered = isApply && objectKey !== undefined ? registry.entered(objectKey) : undefined;
  return (
    entered ??
    registry.enter({
      kind: definition.name,
      objectKey: change.prior && objectKey,
      replaces: replaced?.objectKey,
      identity: change.prior && identityOf(definition, change.prior),
      change,
    })
  );
}
