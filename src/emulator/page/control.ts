// The control API and the page: everything that is not the service, on paths the service does not have.

import { Hono } from "hono";
import { errorAnswer, json, ServiceError } from "../http/answer";
import { checkBody, readBody } from "../http/body";
import type { RequestEntry } from "../http/context";
import { contract } from "../http/contract";
import { faultSchema, type FaultRule, type Faults } from "../http/injected-fault";
import { renderPage, renderTenant, type View } from "./page";
import { script, style } from "./page-asset";
import type { Store } from "../state/store";

export interface ControlOptions {
  store: Store;
  faults: Faults;
  requests: RequestEntry[];
  reset(): void;
  /** Calls back after every request and change; the function given back ends that. */
  watch(listener: () => void): () => void;
}

const shownRequests = 50;
/** Milliseconds in which changes are gathered before open pages are told. */
const gather = 50;

export const isControl = (path: string) => path === "/" || path === "/_tenantform" || path.startsWith("/_tenantform/");

/** A stream of events, one for each gathering of changes. */
function events(watch: ControlOptions["watch"]): Response {
  let stop: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const body = new ReadableStream<string>({
    start(controller) {
      const tell = () => {
        timer = undefined;
        controller.enqueue("data: changed\n\n");
      };
      controller.enqueue("data: hello\n\n");
      stop = watch(() => void (timer ??= setTimeout(tell, gather)));
    },
    cancel() {
      clearTimeout(timer);
      stop?.();
    },
  }).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

const served = (type: string, text: string) =>
  new Response(text, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:",
    },
  });

const done = () => new Response(null, { status: 204 });

export function createControl({ store, faults, requests, reset, watch }: ControlOptions) {
  const view = (): View => ({
    networkAcls: store.networkAcls.values(),
    rateLimitPolicies: store.rateLimitPolicies.values(),
    organizations: store.organizations
      .values()
      .map(({ id, name }) => ({ id, name, members: store.members(id)?.size ?? 0 })),
    requests: requests.slice(-shownRequests).toReversed(),
    faults: faults.rules.length,
  });

  const app = new Hono();
  // A page of another site may send requests here from a browser, but not have them obeyed.
  app.use(async (c, next) => {
    const origin = c.req.header("origin");
    if (origin !== undefined && origin !== new URL(c.req.url).origin) throw new ServiceError(403, "Foreign origin");
    await next();
  });
  app.get("/", () => served("text/html", renderPage(view())));
  app.get("/_tenantform/view", () => served("text/html", renderTenant(view())));
  app.get("/_tenantform/page.js", () => served("text/javascript", script));
  app.get("/_tenantform/page.css", () => served("text/css", style));
  app.get("/_tenantform/events", () => events(watch));
  app.get("/_tenantform/openapi.json", () => json(200, contract()));
  app.get("/_tenantform/requests", () => json(200, requests));
  app.delete("/_tenantform/requests", () => {
    requests.length = 0;
    return done();
  });
  app.get("/_tenantform/faults", () => json(200, faults.rules));
  app.post("/_tenantform/faults", async (c) => {
    faults.add(checkBody<FaultRule>(faultSchema, await readBody(c.req.raw, faultSchema)));
    return done();
  });
  app.delete("/_tenantform/faults", () => {
    faults.clear();
    return done();
  });
  app.get("/_tenantform/snapshot", () => json(200, store.snapshot()));
  app.post("/_tenantform/reset", () => {
    reset();
    return done();
  });
  app.notFound(() => errorAnswer(new ServiceError(404, "Not Found")));
  app.onError((error) => {
    if (error instanceof ServiceError) return errorAnswer(error);
    throw error;
  });
  return app;
}
