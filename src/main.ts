/** The program that Terraform starts: the provider "tenant". */
import type { Calls } from "./plugin/calls";
import { createLog } from "./plugin/log";
import { serve } from "./plugin/serve";

// A bundle carries the answers that are always the same; the build puts them in place of this name, in base64.
declare const bundledAnswers: Readonly<Record<string, string>> | undefined;

const answers = typeof bundledAnswers === "object" ? Object.entries(bundledAnswers) : [];
const log = createLog();

let loaded: Promise<Calls> | undefined;
const load = async () => (await import("./tenant-calls.js")).tenantCalls(log);

void serve({
  prepared: Object.fromEntries(answers.map(([name, bytes]) => [name, Buffer.from(bytes, "base64")])),
  calls: (name, request) => (loaded ??= load()).then((calls) => calls(name, request)),
  log,
});
