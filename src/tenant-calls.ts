/** The calls of the provider "tenant". The first call without a prepared response loads them. */
import { callsOf, type Calls } from "./plugin/calls";
import type { Log } from "./plugin/log";
import { sendsCalls, terraformCommand } from "./plugin/command";
import { handover } from "./plugin/handover";
import { keptTokens } from "./plugin/kept-tokens";
import { announce } from "./plugin/neighbours";
import { quotaNotes } from "./plugin/quota-notes";
import { tenantProvider } from "./resources/provider";
import { handlersOf } from "./sdk/handlers";
import { version } from "./version";

/** Reads the plan once, when the first new object is applied. */
let planned: Promise<readonly Buffer[]> | undefined;
function plannedPrivate(): Promise<readonly Buffer[]> {
  return (planned ??= readPlannedPrivate());
}

async function readPlannedPrivate(): Promise<readonly Buffer[]> {
  const { planFile } = terraformCommand();
  return planFile === undefined ? [] : (await import("./plugin/planned-private.js")).plannedPrivateIn(planFile);
}

export function tenantCalls(log: Log): Calls {
  const provider = tenantProvider(version, process.env, {
    announce,
    handover,
    quotaNotes,
    keptTokens,
    sendsCalls,
    atEnd: (report) => process.once("exit", report),
  });
  return callsOf(handlersOf(provider, { log, registry: { command: terraformCommand }, plannedPrivate }));
}
