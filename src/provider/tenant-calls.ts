/** The calls of the provider "tenant". The first call without a prepared response loads them. */
import { callsOf, type Calls } from "./plugin/calls";
import { keptTokens } from "./plugin/kept-tokens";
import type { Log } from "./plugin/log";
import { tenantProvider } from "./resources/provider";
import { handlersOf } from "./sdk/handlers";
import { version } from "../version";

export function tenantCalls(log: Log): Calls {
  const provider = tenantProvider(version, process.env, {
    keptTokens,
    atEnd: (report) => process.once("exit", report),
  });
  return callsOf(handlersOf(provider, { log }));
}
