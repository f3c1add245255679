/** The services of a plugin process: the provider's own and the four that go-plugin asks for. */
import type { Calls } from "./calls";
import type { Answer, Method } from "./grpc";

/** By method, such as `GetProviderSchema`: responses that are always the same, encoded beforehand. */
export type Prepared = Readonly<Record<string, Uint8Array>>;

export interface Services {
  calls: Calls;
  prepared?: Prepared;
  /** Called when Terraform says that it is done with the process; it asks for no answer if that is the end. */
  shutDown: () => void;
}

/** The message without fields. */
const empty = new Uint8Array();
/** A HealthCheckResponse with the status SERVING. */
const serving = Uint8Array.of(0x08, 0x01);

/** The method behind each path. The few bytes of housekeeping are known here: no protocol code needs to be loaded for them. */
export function methodsOf({ calls, prepared = {}, shutDown }: Services): (path: string) => Method | undefined {
  const housekeeping: Readonly<Record<string, () => Promise<Answer>>> = {
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
