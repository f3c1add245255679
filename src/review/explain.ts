/** `tenantform explain` shows which ACL decides a request, and why earlier ACLs do not match. */
import { sentence } from "../impact/words/words";
import { statSync } from "node:fs";
import { exitCodes } from "../text/exit-codes";
import { problemIn } from "../access/access";
import { withCommandPage } from "../text/page";
import { oneLine, print } from "../text/printable";
import { version } from "../version";
import { aclFrom, type PlannedAcl } from "../impact/network-acl/acl";
import { aclsOnTenant, aclTypes } from "./acls";
import { ReviewError } from "./error";
import { distinctNames, readDocument, planFrom, planHere, readPlans, type Edge, type NamedPlan } from "./input/input";
import { reservationsOf } from "./reservations";
import { stateIn } from "./input/state";
import { evaluationOf, type Facts } from "./probe";
import { tenantsIn } from "./tenants";

export interface ExplainFlags extends Facts {
  /** Read the ACLs of the tenant. With a plan, those that it does not manage. */
  readonly tenant?: boolean;
  /** Evaluate the ACLs as they are before the plan. */
  readonly before?: boolean;
}

/** The exit code. */
export async function explain(file: string | undefined, flags: ExplainFlags, edge: Edge): Promise<number> {
  try {
    const { tenant, before, ...facts } = flags;
    const problem = problemIn(facts);
    if (problem !== undefined) throw new ReviewError(`--${problem.replace(/^\w+/, flagOf)}`, "usage");
    const tenants =
      tenant && file === undefined
        ? [{ acls: (await (await import("./ask.js")).remoteAcls(edge.environment)).flatMap((acl) => aclFrom(acl)) }]
        : await aclsIn(file ?? (edge.stdin.isTTY ? planHere() : "-"), edge, {
            before: before === true,
            tenant: tenant === true,
          });
    const texts = tenants.map(({ name, acls }) => `${heading(name)}${explained(acls, facts)}`);
    print(process.stdout, texts.join("\n"));
    for (const note of new Set(tenants.flatMap(({ notes }) => notes ?? [])))
      print(process.stderr, `${oneLine(note)}\n`);
    return exitCodes.fine;
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    print(process.stderr, withCommandPage(oneLine(error.message), "explain", version));
    return exitCodes.error;
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
  /** Why other ACLs may decide the request, in sentences. */
  readonly notes?: readonly string[];
}

const heading = (name: string | undefined) => (name === undefined ? "" : `${oneLine(name)}:\n`);

interface Sides {
  readonly before: boolean;
  readonly tenant: boolean;
}

/** Reads a plan, a folder with plans, the JSON of a state, or a state file. */
async function aclsIn(name: string, edge: Edge, sides: Sides): Promise<Explained[]> {
  if (name !== "-" && statSync(name, { throwIfNoEntry: false })?.isDirectory()) {
    return aclsOfPlans(await readPlans([name], edge), edge, sides);
  }
  const document = await readDocument(name, edge);
  const read = stateIn(document)?.filter(({ mode, type }) => mode === "managed" && aclTypes.includes(type));
  if (!read) return aclsOfPlans([{ name, plan: planFrom(document, name) }], edge, sides);
  if (sides.tenant) {
    throw new ReviewError(
      `--tenant reads the ACLs of the tenant itself: give a plan, or leave out the state ${name}.`,
      "usage",
    );
  }
  const acls = read.flatMap(({ address, values, sensitive_values: marks }) => aclFrom(values, marks, address));
  return [{ acls, notes: [unmanaged] }];
}

async function aclsOfPlans(named: readonly NamedPlan[], edge: Edge, { before, tenant }: Sides): Promise<Explained[]> {
  const tenants = tenantsIn(distinctNames(named));
  const states = tenant
    ? await (
        await import("./ask.js")
      ).remoteStates(edge.environment, tenants, () => ({ families: new Set(["network_acls"]) }))
    : undefined;
  return tenants.map((one) => {
    const { name } = one;
    const asked = states?.get(one);
    const { plans, versions, hasUnmanaged } = aclsOnTenant(one.plans, asked);
    const { unread, uncertainties } = reservationsOf(plans, asked, new Map());
    return {
      ...(tenants.length > 1 && { name }),
      acls: versions[before ? "before" : "after"],
      notes: [...[...unread, ...uncertainties].map(sentence), ...(hasUnmanaged ? [] : [unmanaged])],
    };
  });
}

const unmanaged =
  "Only managed network ACLs were evaluated. Others, such as those made in the dashboard, may decide the request. " +
  "To include all network ACLs of the tenant, give --tenant.";
