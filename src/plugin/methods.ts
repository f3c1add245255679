/** The services of a plugin process: the provider's own, and the four of go-plugin. */
import type { Calls } from "./calls";
import type { Method, Response } from "./grpc";

/** Encoded responses that never change, by method, such as `GetProviderSchema`. */
export type Prepared = Readonly<Record<string, Uint8Array>>;

export interface Services {
  calls: Calls;
  prepared?: Prepared;
  /** Called when Terraform no longer needs the process. Terraform accepts it if the process then ends without a response. */
  shutDown: () => void;
}

/** The message without fields. */
const empty = new Uint8Array();
/** A HealthCheckResponse with the status SERVING. */
const serving = Uint8Array.of(0x08, 0x01);

/** The method for each path. The housekeeping responses are a few fixed bytes, so the protocol code is not loaded for them. */
export function methodsOf({ calls, prepared = {}, shutDown }: Services): (path: string) => Method | undefined {
  const housekeeping: Readonly<Record<string, () => Promise<Response>>> = {
    "/grpc.health.v1.Health/Check": async () => serving,
    "/plugin.GRPCController/Shutdown": async () => {
      shutDown();
      return empty;
    },
    "/plugin.GRPCStdio/StreamStdio": () => new Promise(() => {}),
    "/plugin.GRPCBroker/StartStream": async () => (async function* () {})(),
  };
  return (path) => {
    const [, service, name = ""] = path.split("/");
    if (service !== "tfplugin6.Provider") return housekeeping[path];
    return async (request) => prepared[name] ?? calls(name, request);
  };
}
