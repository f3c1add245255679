/** Runs `tenantform review`. */
import path from "node:path";
import { exitCodes } from "../../formats/text/command-line";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { oneLine, print, printableLines } from "../../formats/text/printable";
import { withCommandPage } from "../../formats/text/url";
import { oneOf, statsOf, UserError } from "../../formats/text/user-error";
import { writeWhole } from "../../formats/text/whole-file";
import { isFinding } from "../../judge/codes/codes";
import { counts, isAtLeast, isFailure, type Level, levels } from "../../judge/impact/effect";
import { type ExpectationFile, readBase } from "../input/base-branch";
import { familyOf } from "../../judge/impact/statement/statement";
import { readRun } from "../input/terraform-output";
import { distinctNames, type Edge, type NamedPlan, planHere, readPlans, tenantAlone } from "../input/input";
import { type OutputFlags, outputsOf, rendered, write } from "../report/output";
import { type Review, reviewTenant, type TenantReview, worstTenantFirst } from "../judge/review";
import type { RemoteState } from "../input/remote";
import { reviewInput } from "../input/review-input";
import { type Tenant, tenantsIn } from "../input/tenants";
import { quoted } from "../../judge/access/access";
import { hostOf, pathOf, rootOf } from "../../provider/resources/provider-block/root";
import { maskedUrl } from "../../formats/text/masked";

export { formats } from "../report/output";

export interface ReviewFlags extends OutputFlags {
  readonly tag?: string;
  /** The tenant that all plans must be for. */
  readonly domain?: string;
  readonly only?: string;
  readonly base?: readonly string[];
  readonly expect?: readonly string[];
  readonly failOn?: string;
  readonly sameAs?: string;
  readonly planOutput?: string;
  readonly planExitCode?: number;
  readonly ignore?: readonly string[];
  readonly tenant?: boolean;
  readonly logs?: readonly string[];
  readonly since?: string;
  readonly rules?: readonly string[];
}

/** Returns the exit code. Writes output if it is 0, 3 or 4, and a comment that says why there is no review if an input cannot be read. */
export async function review(
  names: readonly string[],
  flags: ReviewFlags,
  version: string,
  edge: Edge,
): Promise<number> {
  try {
    return await reviewed(names, flags, version, edge);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    print(process.stderr, withCommandPage(oneLine(error.message), "review", version));
    if (error.of === "input") await writeFailure(oneLine(error.message), flags);
    return exitCodes.error;
  }
}

/** Without a tag, nobody knows which comment the failure replaces. */
async function writeFailure(reason: string, flags: ReviewFlags): Promise<void> {
  const { tag } = flags;
  if (tag === undefined || flags.sameAs !== undefined) return;
  const { failedMarkdown } = await import("../report/markdown.js");
  for (const { format, file } of outputsOf(flags)) {
    if (format !== "markdown" || file === undefined) continue;
    writeWhole(file, printableLines(failedMarkdown(reason, { tag, at: new Date() })));
  }
}

async function reviewed(names: readonly string[], flags: ReviewFlags, version: string, edge: Edge): Promise<number> {
  const outputs = outputsOf(flags);
  if (flags.since !== undefined && flags.logs === undefined)
    throw new UserError("--since needs --logs PATH: it says which events of the log count.", "usage");
  const unread = (["output", "format", "tag"] as const).find((name) => flags.sameAs !== undefined && flags[name]);
  if (unread !== undefined)
    throw new UserError(`--same-as prints only the difference, as text: leave out --${unread}.`, "usage");
  const only = onlyOf(flags) ?? (isAboutTenant(names, flags, edge) ? "expectations" : undefined);
  const least = flags.failOn ?? (only && "medium");
  const failOn = least === undefined ? undefined : oneOf(least, levels, "--fail-on");
  const ignored = ignoredBy(flags.ignore ?? []);
  const { readRules, rulesList } = await import("./auth0-rules-file.js");
  const folders = (flags.base ?? []).filter((file) => statsOf(file)?.isDirectory());
  const rules = readRules(
    (flags.rules ?? []).filter((file) => file !== "list"),
    folders,
  );
  if (flags.rules?.includes("list")) {
    const others = Object.keys(flags).filter((name) => !["rules", "base"].includes(name));
    const [other] = [...names, ...others.map((name) => `--${name.replace(/[A-Z]/g, "-$&").toLowerCase()}`)];
    if (other !== undefined)
      throw new UserError(`--rules list prints the rows and reviews nothing: leave out ${other}.`, "usage");
    print(process.stdout, rulesList(rules.rows));
    return exitCodes.fine;
  }
  const base = [];
  for (const file of flags.base ?? []) base.push(await readBase(file, edge, "--base"));
  const protect = base.flatMap(({ guards }) => guards);
  for (const file of flags.expect ?? []) base.push(await readBase(file, edge, "--expect"));
  const expect = base.flatMap(({ expectations }) => expectations);
  const plans = await plansOf(names, flags, edge, only);
  const tenants = tenantsIn(distinctNames(plans));
  if (flags.domain !== undefined) requireDomain(tenants, flags.domain);
  const remote = flags.tenant
    ? await remoteOf(tenants, { expect, only, decides: protect.length + (flags.logs ?? []).length > 0 }, edge)
    : new Map<Tenant, RemoteState>();
  const inputs = tenants.map((tenant) => reviewInput(tenant, remote.get(tenant)));
  const traffic = flags.logs ? await (await import("./replay.js")).trafficOf(inputs, flags, edge) : undefined;
  const all = plans.map(({ name }) => name).join(", ");
  const judged = inputs.map((input) =>
    reviewTenant(
      input,
      { ignored, protect, expect, traffic: traffic?.get(input), rules },
      input.plans.length === 1 ? input.name : all,
    ),
  );
  const reviews = (only ? await onlyExpectations(judged) : judged).toSorted(worstTenantFirst);
  const isOverLimit = failOn !== undefined && reviews.some(({ whole }) => reachesLevel(whole, failOn));
  if (flags.sameAs !== undefined) {
    const { differencesFrom } = await import("./approved-changes.js");
    const lines = await differencesFrom(flags.sameAs, reviews, edge);
    const what = reviews.length === 1 ? "The plan makes" : `The plans of ${reviews.length} tenants make`;
    const shown =
      lines.length > 0 ? ["✖ Not the approved changes:", ...lines] : [`✔ ${what} exactly the approved changes.`];
    print(process.stdout, printableLines(`${shown.map(oneLine).join("\n")}\n`));
    if (lines.length > 0) return exitCodes.notApproved;
    return isOverLimit ? exitCodes.finding : exitCodes.fine;
  }
  const tag = flags.tag ?? tagOf(plans, edge.environment);
  await write(outputs, (format) => rendered(format, reviews, { tag, version, environment: edge.environment, only }));
  return isOverLimit ? exitCodes.finding : exitCodes.fine;
}

/** `--only` leaves out what these options ask for. */
function onlyOf({ only, sameAs, logs, rules }: ReviewFlags): "expectations" | undefined {
  if (only === undefined) return undefined;
  const [other] = Object.entries({ "same-as": sameAs, logs, rules }).find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined)
    throw new UserError(`--only leaves out what --${other} asks for: give one of them.`, "usage");
  return oneOf(only, ["expectations"] as const, "--only");
}

/** Somebody at a terminal who has no plan asks about the tenant as it is. An empty pipe stays an error: its plan was not made. */
const isAboutTenant = (
  names: readonly string[],
  { tenant, sameAs, logs, planOutput, planExitCode }: ReviewFlags,
  { stdin }: Edge,
): boolean =>
  tenant === true &&
  names.length === 0 &&
  stdin.isTTY === true &&
  [sameAs, logs, planOutput, planExitCode].every((flag) => flag === undefined) &&
  planHere() === undefined;

const noPlan = {
  state: "is a state, which shows no changes: give a plan (`terraform show -json PLAN`)",
  stack: "is a synthesized stack, which shows no changes: plan it with `cdktf diff`",
};

/** "Nothing changes" must not be the answer to a state that somebody takes for a plan. Expectations may be about the tenant as it is. */
async function plansOf(
  names: readonly string[],
  { tenant, planOutput: output, planExitCode: exitCode }: ReviewFlags,
  edge: Edge,
  only: "expectations" | undefined,
): Promise<NamedPlan[]> {
  if (only && names.length === 0 && tenant) return [tenantAlone()];
  const errors = await readRun({ output, exitCode }, edge);
  const plans = await readPlans(names, edge, { errors, prefersStacks: only !== undefined });
  for (const { name, plan } of only ? [] : plans)
    if (plan.source) throw new UserError(`${name} ${noPlan[plan.source]}, or give --only expectations.`);
  return plans;
}

/** Whoever asks for nothing else must not take "there are none" for "they hold". */
async function onlyExpectations(reviews: readonly TenantReview[]): Promise<TenantReview[]> {
  const { expectationsOnly } = await import("../report/expectations.js");
  const found = reviews.map(({ whole }) => ({ whole: expectationsOnly(whole), parts: [] }));
  if (found.some(({ whole: { expectations, effects } }) => expectations.length + effects.length > 0)) return found;
  throw new UserError(
    'There are no expectations: give --expect FILE, or add `expectation` blocks to the provider "tenant" block.',
  );
}

interface Needs {
  readonly expect: readonly ExpectationFile[];
  /** The review decides requests, whatever the plans change. */
  readonly decides: boolean;
  /** Nothing but what expectations need is read. */
  readonly only: "expectations" | undefined;
}

async function remoteOf(
  tenants: readonly Tenant[],
  { expect, decides, only }: Needs,
  edge: Edge,
): Promise<ReadonlyMap<Tenant, RemoteState>> {
  const { familiesIn, remoteStates } = await import("../input/read-tenant.js");
  return remoteStates(edge.environment, tenants, (tenant) => {
    const own = tenant.plans.flatMap(({ blocks }) => blocks.flatMap(({ expectations }) => expectations));
    const statements = [...own, ...expect.flatMap(({ read }) => read)].map(({ expectation }) => expectation.statement);
    const stated = statements.flatMap((one) => (one.kind === "members" ? one.organization_id : []));
    const destroyed = only ? [] : organizationsDestroyed(tenant.plans);
    return {
      organizations: [...stated.filter((id) => typeof id === "string"), ...destroyed],
      families: new Set([
        ...(only ? [] : familiesIn(tenant.plans)),
        ...statements.map(({ kind }) => familyOf[kind]),
        ...(destroyed.length > 0 ? ["organization_members" as const] : []),
        ...(decides && !only ? ["network_acls" as const] : []),
      ]),
    };
  });
}

/** The IDs of the organizations that the plans destroy: `--tenant` counts their members. */
const organizationsDestroyed = (plans: Tenant["plans"]): string[] =>
  plans
    .flatMap(({ all }) => all)
    .filter(({ type, actions }) => type === "auth0_organization" && actions.includes("delete"))
    .flatMap(({ before }) => (typeof before?.["id"] === "string" ? before["id"] : []));

/** The name of the workspace that `terraform workspace select` chose in this folder. */
function workspaceIn({ TF_WORKSPACE: name, TF_DATA_DIR: folder = ".terraform" }: NodeJS.ProcessEnv): string {
  if (name) return name;
  const file = path.join(folder, "environment");
  // A pipe must not block the review.
  const found = statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8").trim() : "";
  return found === "default" ? "" : found;
}

/** The stacks, and the workspace unless it is the default one. */
function tagOf(plans: readonly NamedPlan[], environment: NodeJS.ProcessEnv): string {
  const tag = [...plans.map(({ name }) => name), workspaceIn(environment)].filter((part) => part !== "").join(",");
  // The tag of many plans would take the room of the comment.
  return tag.length <= mostOfTag ? tag : createHash("sha256").update(tag).digest("hex");
}

const mostOfTag = 1_000;

const reachesLevel = ({ effects }: Review, least: Level): boolean =>
  effects.some((one) => isFailure(one) || (counts(one) && isAtLeast(one.level, least)));

function ignoredBy(flags: readonly string[]): Map<string, string> {
  return new Map(
    flags.map((flag): [string, string] => {
      const [, code = flag, reason = ""] = /^([^=]*)=(.*)$/s.exec(flag) ?? [];
      if (!isFinding(code))
        throw new UserError(
          `--ignore ${code}: no effect has this code. docs/guides/effects.md lists all codes.`,
          "usage",
        );
      if (code === "TNF-PLAN-FAILED")
        throw new UserError(`--ignore ${code}: a plan that failed cannot be applied. Correct its error.`, "usage");
      if (reason.trim() === "")
        throw new UserError(`--ignore ${code} needs a reason: --ignore ${code}="why".`, "usage");
      return [code, reason.trim()];
    }),
  );
}

/** Throws a UserError unless every provider configuration of the plans names this tenant. */
function requireDomain(tenants: readonly Tenant[], domain: string): void {
  const root = rootOf({ domain });
  if (!root)
    throw new UserError(`--domain ${quoted(domain)} is not a domain: give a name such as acme.eu.auth0.com.`, "usage");
  const wanted = hostOf(root) + pathOf(root);
  for (const { name, tenantAddress } of tenants) {
    const found =
      tenantAddress.kind === "host" && tenantAddress.isCertain ? tenantAddress.host + tenantAddress.path : undefined;
    if (found === wanted) continue;
    const isSecret = tenantAddress.kind === "host" && tenantAddress.variable?.isSecret === true;
    throw new UserError(
      found === undefined
        ? `${name} does not name its tenant, so it may be for another one than ${wanted}: give the provider block a \`domain\` as text, or as \`var.NAME\` alone and review the plan next to its configuration.`
        : `${name} is for ${isSecret ? "another tenant" : `the tenant ${maskedUrl(found)}`}, but --domain names ${wanted}: plan again on the right tenant.`,
    );
  }
}
