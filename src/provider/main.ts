/** The program that Terraform starts: the provider "tenant". */
import type { Calls } from "./plugin/calls";
import { createLog } from "./plugin/log";
import { serve } from "./plugin/serve";

// The build replaces this name with the encoded responses that never change, in base64.
declare const bundledResponses: Readonly<Record<string, string>> | undefined;

const responses = typeof bundledResponses === "object" ? Object.entries(bundledResponses) : [];
const log = createLog();

let loaded: Promise<Calls> | undefined;
const load = async () => (await import("./tenant-calls.js")).tenantCalls(log);

void serve({
  prepared: Object.fromEntries(responses.map(([name, bytes]) => [name, Buffer.from(bytes, "base64")])),
  calls: (name, request) => (loaded ??= load()).then((calls) => calls(name, request)),
  log,
});
