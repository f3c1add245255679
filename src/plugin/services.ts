/** The services of a plugin process: the provider's own and the four that go-plugin asks for. */
import type { Answer, Method } from "./grpc";
import type { ProviderHandlers } from "./handlers";

/** Handlers, or how to come by them: called once, when the first call needs them. */
export type LazyHandlers = ProviderHandlers | (() => Promise<ProviderHandlers>);
/** By method, such as `GetProviderSchema`: responses that are always the same, encoded beforehand. */
export type Prepared = Readonly<Record<string, Uint8Array>>;

export interface Services {
  provider: LazyHandlers;
  prepared?: Prepared;
  /** Called when Terraform says that it is done with the process; it asks for no answer if that is the end. */
  shutDown: () => void;
}

/** The message without fields. */
const empty = new Uint8Array();
/** A HealthCheckResponse with the status SERVING. */
const serving = Uint8Array.of(0x08, 0x01);

/**
 * The method behind each path. The few bytes of housekeeping are known here, so that the code of the provider's messages
 * is loaded by the first call that has one.
 */
export function methodsOf({ provider, prepared = {}, shutDown }: Services): (path: string) => Method | undefined {
  const housekeeping: Readonly<Record<string, () => Promise<Answer>>> = {
    "/grpc.health.v1.Health/Check": async () => serving,
    "/plugin.GRPCController/Shutdown": async () => {
      shutDown();
      return empty;
    },
    "/plugin.GRPCStdio/StreamStdio": () => new Promise(() => {}),
    "/plugin.GRPCBroker/StartStream": async () => (async function* () {})(),
  };
  let calls: Promise<(name: string, request: Uint8Array) => Promise<Answer>> | undefined;
  const load = async () => {
    const [{ callsOf }, handlers] = await Promise.all([
      import("./calls.js"),
      typeof provider === "function" ? provider() : provider,
    ]);
    return callsOf(handlers);
  };

  return (path) => {
    const [, service, name = ""] = path.split("/");
    if (service !== "tfplugin6.Provider") return housekeeping[path];
    return async (request) => prepared[name] ?? (await (calls ??= load()))(name, request);
  };
}
