/** The control API and the page: everything that is not the service, on paths the service does not have. */
import { Hono, type Context } from "hono";
import { streamSSE } from "hono/streaming";
import { contract, seedSchema, type Snapshot } from "../api/families";
import type { Decision } from "../enforcement/decide";
import { decisionOn } from "../enforcement/enforce";
import { originDescription } from "../enforcement/origin";
import { contentType, errorAnswer, json, noContent, ServiceError } from "../http/response";
import { checkBody, invalidBody, readBody } from "../http/body";
import type { ControlOperation } from "../http/contract";
import { checkEncoding, pathNamed, pathOf } from "../http/path";
import { injectedFaultSchema, type InjectedFault, type InjectedFaults } from "../http/fault";
import type { RequestEntry } from "../http/request-log";
import type { Store } from "../state/store";
import { viewOf } from "./view";
import { renderPage, renderTenant } from "./page";
import { script, style } from "./assets";

export interface ControlOptions {
  readonly store: Store;
  readonly faults: InjectedFaults;
  /** Whether requests are treated as the network ACLs say. */
  readonly enforces: boolean;
  readonly requests: RequestEntry[];
  reset(): void;
  snapshot(): Snapshot;
  /** Calls back after every request and change; the function given back ends that. */
  watch(listener: () => void): () => void;
}

interface Served extends ControlOperation {
  handle(c: Context, options: ControlOptions): Response | Promise<Response>;
}

/** Milliseconds in which changes are gathered before open pages are told. */
const gather = 50;

export const isControl = (path: string) => path === "/" || path === "/_tenantform" || path.startsWith("/_tenantform/");

/** JSON for people as well as for programs. */
const legible = (value: unknown) =>
  new Response(`${JSON.stringify(value, null, 2)}\n`, {
    headers: { "content-type": contentType },
  });

async function addFault(c: Context, faults: InjectedFaults): Promise<Response> {
  const { value } = await readBody(c.req.raw, injectedFaultSchema);
  const fault = checkBody<InjectedFault>(injectedFaultSchema, value);
  try {
    faults.add(fault);
  } catch (error) {
    throw invalidBody((error as Error).message);
  }
  return noContent();
}

const operations: readonly Served[] = [
  {
    method: "get",
    path: "/_tenantform/requests",
    summary: "The last requests to the service, as many as 8 MiB hold",
    answers: "A list, the oldest first.",
    handle: (_, { requests }) => legible(requests),
  },
  {
    method: "delete",
    path: "/_tenantform/requests",
    summary: "Forget them",
    handle(_, { requests }) {
      requests.length = 0;
      return noContent();
    },
  },
  {
    method: "get",
    path: "/_tenantform/faults",
    summary: "The injected faults in force",
    answers: "A list.",
    handle: (_, { faults }) => legible(faults.rules),
  },
  {
    method: "post",
    path: "/_tenantform/faults",
    summary: "Inject a fault",
    body: injectedFaultSchema,
    handle: (c, { faults }) => addFault(c, faults),
  },
  {
    method: "delete",
    path: "/_tenantform/faults",
    summary: "Remove all injected faults",
    handle(_, { faults }) {
      faults.clear();
      return noContent();
    },
  },
  {
    method: "get",
    path: "/_tenantform/snapshot",
    summary: "The whole tenant but its secrets, usable as a seed",
    answers: "The tenant.",
    answer: seedSchema,
    handle: (_, { snapshot }) => legible(snapshot()),
  },
  {
    method: "get",
    path: "/_tenantform/decision",
    summary: "What the network ACLs do to a request",
    parameters: [
      { name: "origin", in: "query", description: originDescription, schema: { type: "string" } },
      { name: "path", in: "query", schema: { type: "string", default: "/api/v2/" } },
    ],
    answers: "The outcome, the network ACL that decides, those that record it, and all that were asked.",
    handle(c, { store }) {
      const { origin = "", path = "/api/v2/" } = c.req.query();
      return legible(told(decisionOn(store, c.req.raw, origin, pathNamed(path), [])));
    },
  },
  {
    method: "post",
    path: "/_tenantform/reset",
    summary: "Back to what the tenant started with",
    handle(_, { reset }) {
      reset();
      return noContent();
    },
  },
];

/** What was decided, short enough to be read. */
const told = ({ outcome, by, logged, steps }: Decision) => ({
  outcome,
  ...(by && { by: by.id }),
  logged: logged.map(({ id }) => id),
  asked: steps.map(({ acl, holds, because }) => ({ id: acl.id, priority: acl.priority, holds, because })),
});

export const controlOperations: readonly ControlOperation[] = operations;

/** A stream of events, one for each gathering of changes. */
const events = (c: Context, watch: ControlOptions["watch"]) =>
  streamSSE(c, async (stream) => {
    let due = false;
    let wake = () => {};
    const stop = watch(() => {
      due = true;
      wake();
    });
    stream.onAbort(() => wake());
    await stream.writeSSE({ data: "hello" });
    while (!stream.aborted) {
      if (!due) await new Promise<void>((resolve) => void (wake = resolve));
      await stream.sleep(gather);
      due = false;
      if (!stream.aborted) await stream.writeSSE({ data: "changed" });
    }
    stop();
  });

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const served = (type: string, text: string) =>
  new Response(text, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      "content-security-policy": policy,
    },
  });

export function createControl(options: ControlOptions) {
  const app = new Hono({ getPath: pathOf });
  // A page of another site may send requests here from a browser, but not have them obeyed.
  app.use(async (c, next) => {
    const origin = c.req.header("origin");
    if (origin !== undefined && origin !== new URL(c.req.url).origin) throw new ServiceError(403, "Foreign origin");
    checkEncoding(c.req.path);
    await next();
  });
  app.get("/", async (c) => served("text/html", await renderPage(viewOf(options, c.req.raw))));
  app.get("/_tenantform/view", async (c) => served("text/html", await renderTenant(viewOf(options, c.req.raw))));
  app.get("/_tenantform/page.js", () => served("text/javascript", script));
  app.get("/_tenantform/page.css", () => served("text/css", style));
  app.get("/_tenantform/events", (c) => events(c, options.watch));
  app.get("/_tenantform/openapi.json", () => json(200, contract(controlOperations)));
  for (const { method, path, handle } of operations) app.on(method.toUpperCase(), path, (c) => handle(c, options));
  app.notFound(() => errorAnswer(new ServiceError(404, "Not Found")));
  app.onError((error) => {
    if (error instanceof ServiceError) return errorAnswer(error);
    throw error;
  });
  return app;
}
