/** `tenantform explain` shows which ACL decides a request, and why earlier ACLs do not match. */
import { exitCodes } from "../../formats/text/command-line";
import { matchWords } from "../../judge/impact/words/match";
import { sentence } from "../../judge/impact/words/words";
import {
  criteriaOf,
  decide,
  inOrder,
  matches,
  outcomesOf,
  places,
  plainFacts,
  problemIn,
  requestOf,
  sides,
  whyEnds,
  type AccessRequest,
} from "../../judge/access/access";
import { titleOf } from "../../judge/impact/network-acl/words";
import { hidden } from "../../formats/text/lists";
import { withCommandPage } from "../../formats/text/url";
import { oneLine, print } from "../../formats/text/printable";
import { version } from "../../version";
import type { PlannedAcl } from "../../judge/impact/network-acl/acl";
import { UserError } from "../../formats/text/user-error";
import { distinctNames, readPlans, tenantAlone, type Edge, type NamedPlan } from "../input/input";
import { gapsOf } from "../judge/gaps";
import { reviewInput } from "../input/review-input";
import { tenantsIn } from "../input/tenants";

type Facts = Omit<AccessRequest, "api"> & { readonly path?: string };

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
    const named =
      tenant && file === undefined ? [tenantAlone()] : await readPlans(file === undefined ? [] : [file], edge);
    const tenants = await aclsIn(named, edge, { before, tenant });
    const all = tenants.flatMap(({ acls }) => acls);
    const problem = problemIn(withoutEntries(facts, all), flagOf);
    if (problem !== undefined) throw new UserError(problem, "usage");
    const texts = tenants.map(({ heading, acls }) => heading + explained(acls, facts));
    print(process.stdout, texts.join("\n"));
    for (const note of new Set(tenants.flatMap(({ notes }) => notes))) print(process.stderr, `${oneLine(note)}\n`);
    return exitCodes.fine;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    print(process.stderr, withCommandPage(oneLine(error.message), "explain", version));
    return exitCodes.error;
  }
}

const flagOf = (fact: string) => `--${fact.replaceAll("_", "-")}`;

/** Without the values that a rule names: a request that a rule is about may be asked for, whatever form its fingerprint has. */
function withoutEntries(facts: Facts, acls: readonly PlannedAcl[]): Facts {
  const criteria = acls.flatMap(({ rule }) => sides.flatMap((side) => criteriaOf(rule, side)));
  const entries = new Set(criteria.flatMap(({ texts }) => texts.map((text) => text.toLowerCase())));
  const isEntry = (fact: string, value: unknown) =>
    plainFacts.some((name) => name === fact && !places.has(name)) && entries.has(String(value).toLowerCase());
  return Object.fromEntries(Object.entries(facts).filter(([fact, value]) => !isEntry(fact, value)));
}

/** One line for each evaluated ACL, in the order of evaluation, and the outcome with the deciding ACL. */
function explained(acls: readonly PlannedAcl[], { path = "/authorize", ...facts }: Facts): string {
  const request = requestOf(path, facts);
  const { by, certain, endings } = decide(acls, request);
  const outcome = outcomesOf({ endings });
  const lines: string[] = [];
  for (const acl of inOrder(acls)) {
    const word = { yes: "matches", perhaps: "may match", no: "does not match" }[matches(acl.rule, request)];
    lines.push(`${titleOf(acl)} ${word}: ${acl.secret.size > 0 ? hidden : matchWords(whyEnds(acl, request))}`);
    if (acl === by && certain) break;
  }
  // An ACL that only logs matches, and decides nothing.
  const none = inOrder(acls).some((acl) => matches(acl.rule, request) !== "no")
    ? "no ACL decides it"
    : "no ACL matches";
  const decided = by ? `${outcome} by ${titleOf(by)}` : `${outcome}, because ${none}`;
  lines.push(`=> ${certain ? decided : `${outcome}: unknown facts decide`}`);
  return lines.map((line) => `${oneLine(line)}\n`).join("");
}

interface Explained {
  /** The tenant, if the plan is about several tenants. */
  readonly heading: string;
  readonly acls: readonly PlannedAcl[];
  /** Why other ACLs may decide the request, in sentences. */
  readonly notes: readonly string[];
}

async function aclsIn(
  named: readonly NamedPlan[],
  { environment }: Edge,
  { before = false, tenant = false }: Pick<ExplainFlags, "before" | "tenant">,
): Promise<Explained[]> {
  const still = named.find(({ plan }) => plan.source !== undefined);
  if (before && still)
    throw new UserError(`--before needs a plan, and ${still.name} shows no change: leave out --before.`, "usage");
  const tenants = tenantsIn(distinctNames(named));
  const wanted = () => ({ families: new Set(["network_acls"] as const) });
  const states = tenant
    ? await (await import("../input/read-tenant.js")).remoteStates(environment, tenants, wanted)
    : undefined;
  return tenants.map((one) => {
    const input = reviewInput(one, states?.get(one));
    return {
      heading: tenants.length > 1 ? `${oneLine(one.name)}:\n` : "",
      acls: input.versions[before ? "before" : "after"],
      notes: [...gapsOf(input).map(sentence), ...(input.remote.network_acls ? [] : [unmanaged])],
    };
  });
}

const unmanaged =
  "Only managed network ACLs were evaluated. Others, such as those made in the dashboard, may decide the request. " +
  "To include all network ACLs of the tenant, give --tenant.";
