/** Runs `tenantform test`: judges expectations on a plan, a state, a synthesized stack or the tenant itself. */
import { sentence } from "../../impact/words/words";
import { writeFileSync } from "node:fs";
import { exitCodes } from "../../text/exit-codes";
import { firstLines } from "../../text/excerpt";
import { withoutPasswords } from "../../text/masked";
import { withCommandPage } from "../../text/page";
import { oneLine, print, printableLines } from "../../text/printable";
import { version } from "../../version";
import { oneOf, ReviewError } from "../error";
import { readBase, type ExpectationFile } from "../base";
import { familyOf, organizationsIn, statementsOf } from "../expectations/read";
import { dynamicEffects } from "../expectations/judged";
import { worstFirst } from "../expectations/rows";
import { distinctNames, planHere, type Edge, type NamedPlan } from "../input/input";
import { isKept } from "../present";
import type { Family, RemoteState } from "../remote";
import { reviewTenant, tenantsIn, type Tenant, type TenantReview } from "../tenants";
import { emptyPlan, readInput } from "./inputs";
import { exitCodeOf, judgedIn, toJson, toJunit, toText, type TestedTenant, type TestRun } from "./outcome";

export const formats = ["text", "json", "junit"] as const;

export interface TestFlags {
  readonly expect?: readonly string[];
  readonly format?: string;
  readonly output?: string;
  readonly tenant?: boolean;
}

const mostOfError = 4_000;

/** Returns the exit code. An expectation that does not hold is a no. */
export async function test(input: string | undefined, flags: TestFlags, edge: Edge): Promise<number> {
  try {
    const format = oneOf(flags.format ?? "text", formats, "--format");
    const run = await tested(input, flags, edge);
    const text = { text: toText, json: toJson, junit: toJunit }[format](run);
    if (flags.output === undefined) print(process.stdout, text);
    else writeFileSync(flags.output, printableLines(text));
    return exitCodeOf(run);
  } catch (error) {
    const { message } = error as Error;
    const text = oneLine(firstLines(withoutPasswords(message), mostOfError));
    print(process.stderr, withCommandPage(text, "test", version));
    return exitCodes.error;
  }
}

async function tested(input: string | undefined, flags: TestFlags, edge: Edge): Promise<TestRun> {
  const expect: ExpectationFile[] = [];
  for (const file of flags.expect ?? []) expect.push(...(await readBase(file, edge, "--expect")).expectations);
  const isTenantAlone = input === undefined && flags.tenant === true;
  const named: NamedPlan[] = isTenantAlone
    ? [{ name: "tenant", plan: emptyPlan() }]
    : await readInput(input ?? (edge.stdin.isTTY ? planHere() : "-"), edge);
  const tenants = tenantsIn(distinctNames(named));
  const at = edge.now?.() ?? new Date();
  const wanted = wantedBy(tenants, expect);
  const remote = flags.tenant
    ? await (await import("../ask.js")).remoteStates(edge.environment, tenants, () => wanted)
    : new Map<Tenant, RemoteState>();
  const found = tenants.map((tenant) => {
    const review = reviewTenant(tenant, { expect, remote: remote.get(tenant) });
    return testedTenant(review, tenant);
  });
  const run: TestRun = { tenants: found, scope: scopeWords(named, flags), at };
  const isEmpty = run.tenants.every(({ notes }) => notes.length === 0);
  if (judgedIn(run).length === 0 && isEmpty) throw nothing(isTenantAlone);
  return run;
}

function testedTenant({ whole }: TenantReview, { name, plans }: Tenant): TestedTenant {
  const { expectations, places } = whole;
  // Here it does not matter whether a plan makes it worse.
  const judged = expectations.map(({ already: _already, ...one }) => one);
  return { name, judged: worstFirst(judged), places, notes: plans.flatMap(dynamicEffects).map(sentence) };
}

/** Reads no more of the tenant than the expectations need. */
function wantedBy(tenants: readonly Tenant[], files: readonly ExpectationFile[]) {
  const statements = statementsOf(tenants, files);
  return {
    families: new Set<Family>(statements.map(({ kind }) => familyOf[kind])),
    organizations: organizationsIn(statements),
  };
}

function scopeWords(named: readonly NamedPlan[], { tenant }: TestFlags): string {
  const changing = tenant ? named.filter(({ plan }) => !plan.resource_changes.every(isKept)) : named;
  const names = changing.map(({ name }) => name).join(", ");
  const after = names === "" ? "" : `, after the changes of ${names}`;
  if (tenant) return `Judged on the objects of the tenant, unmanaged ones included${after}.`;
  return `Judged only on the objects in ${names}. To include unmanaged objects, give --tenant.`;
}

const nothing = (isTenantAlone: boolean) =>
  new ReviewError(
    isTenantAlone
      ? "There are no expectations. Give --expect FILE, or name a stack that has some: tenantform test cdktf.out --tenant."
      : 'There are no expectations. Give --expect FILE, or add `expectation` blocks to the provider "tenant" block.',
  );
