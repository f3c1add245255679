/** `tenantform explain` shows which ACL decides a request, and why earlier ACLs do not match. */
import { problemIn } from "../access/access";
import { withCommandPage } from "../text/page";
import { oneLine, print } from "../text/printable";
import { version } from "../version";
import { aclFrom, type PlannedAcl } from "../impact/network-acl/acl";
import { aclsOf, aclTypes } from "./acls";
import { ReviewError } from "./error";
import { readDocument, type Edge } from "./input";
import { parsePlan } from "./plan";
import type { Facts } from "./probe";
import { stateIn } from "./state";
import { evaluationOf } from "./steps";
import { tenantsIn } from "./tenants";

export interface ExplainFlags extends Facts {
  /** Read the ACLs from the tenant instead of a file. */
  readonly tenant?: boolean;
  /** Evaluate the ACLs as they are before the plan. */
  readonly before?: boolean;
}

/** The exit code. */
export async function explain(file: string | undefined, flags: ExplainFlags, edge: Edge): Promise<number> {
  try {
    const { tenant, before, ...facts } = flags;
    const problem = problemIn(facts);
    if (problem !== undefined) throw new ReviewError(`--${problem.replace(/^\w+/, flagOf)}`, 1);
    const tenants = tenant
      ? [{ acls: (await (await import("./ask.js")).remoteAcls(edge.environment)).flatMap((acl) => aclFrom(acl)) }]
      : aclsIn(await readDocument(file, edge), file ?? "standard input", before === true);
    const texts = tenants.map(({ name, acls }) => `${heading(name)}${explained(acls, facts)}`);
    print(process.stdout, texts.join("\n"));
    return 0;
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    print(process.stderr, withCommandPage(oneLine(error.message), "explain", version));
    return error.exitCode;
  }
}

const flagOf = (fact: string) => fact.replaceAll("_", "-");

export function explained(acls: readonly PlannedAcl[], facts: Facts): string {
  const { steps, end } = evaluationOf(acls, facts);
  return [...steps, `=> ${end}`].map((line) => `${oneLine(line)}\n`).join("");
}

interface Explained {
  /** The tenant, if the plan is about several tenants. */
  readonly name?: string;
  readonly acls: readonly PlannedAcl[];
}

const heading = (name: string | undefined) => (name === undefined ? "" : `${oneLine(name)}:\n`);

/** Reads a plan, the JSON of a state, or a state file. */
function aclsIn(text: string, name: string, before: boolean): Explained[] {
  const read = stateIn(text)?.filter(({ mode, type }) => mode === "managed" && aclTypes.includes(type));
  if (read) {
    return [{ acls: read.flatMap(({ address, values, sensitive_values: marks }) => aclFrom(values, marks, address)) }];
  }
  const tenants = tenantsIn([{ name, plan: parsePlan(text, name) }]);
  return tenants.map((tenant) => ({
    ...(tenants.length > 1 && { name: tenant.name }),
    acls: aclsOf(tenant.plans)[before ? "before" : "after"],
  }));
}
