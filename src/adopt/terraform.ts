/** Terraform or OpenTofu, asked for a plan of what was written. */
import { run, type Diagnostic, type Message, type Session } from "../terraform";

export interface Counts {
  readonly import: number;
  readonly add: number;
  readonly change: number;
  readonly remove: number;
  /** From the addresses of another provider. */
  readonly moved: number;
}

export interface Planned {
  /** Undefined where there is no plan. */
  readonly counts?: Counts;
  readonly told: readonly Diagnostic[];
  /** What changes, beside imports: `tenant_network_acl.tor (update)`. */
  readonly changes: readonly string[];
}

export async function initialize(session: Session): Promise<Diagnostic | undefined> {
  const { code, output, errors } = await run(session, ["init", "-input=false", "-no-color"]);
  if (code === 0) return undefined;
  const detail = `${output}${errors}`.trim();
  return { severity: "error", summary: `${session.program} init ended with ${code}`, detail };
}

/** What the state of another place holds, where the directory was initialized before. */
export async function pullState(session: Session): Promise<string> {
  const { code, output } = await run(session, ["state", "pull"]);
  return code === 0 ? output : "";
}

/** What Terraform says of objects that stay as they are, or that it is to forget. */
const unchanged = new Set(["noop", "import", "forget", "remove"]);

/** `seen` is told of each object that was read. */
export async function plan(session: Session, seen: () => void): Promise<Planned> {
  const told: Diagnostic[] = [];
  const changes: string[] = [];
  let counts: Counts | undefined;
  let moved = 0;
  const take = ({ type, diagnostic, change, changes: sums }: Message) => {
    if (type === "refresh_complete") seen();
    if (diagnostic) told.push(diagnostic);
    if (type === "planned_change" && change?.action === "move") moved++;
    else if (type === "planned_change" && change && !unchanged.has(change.action)) {
      changes.push(`${change.resource.addr} (${change.action})`);
    }
    if (type === "change_summary") counts = { import: 0, add: 0, change: 0, remove: 0, ...sums, moved };
  };
  const { code, output, errors } = await run(session, ["plan", "-input=false", "-lock=false", "-json"], take);
  if (code !== 0 && !told.some(({ severity }) => severity === "error")) {
    const detail = `${output}${errors}`.trim();
    told.push({ severity: "error", summary: `${session.program} plan ended with ${code}`, detail });
  }
  return { ...(code === 0 && counts && { counts }), told, changes };
}
