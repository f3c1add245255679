/** A small test provider, and Terraform's calls to it, without Terraform. */
import * as z from "zod";
import { decode, encode } from "../../../../src/formats/cty/msgpack";
import type { Type } from "../../../../src/formats/cty/type";
import { isObject, type Value } from "../../../../src/formats/cty/value";
import { attribute } from "../../../../src/provider/sdk/attribute";
import { define } from "../../../../src/provider/sdk/definition";
import type { Diagnostic } from "../../../../src/provider/sdk/diagnostic";
import type { RegistryOptions } from "../../../../src/provider/sdk/plan-registry";
import type { Provider, ProviderBlock, Resource } from "../../../../src/provider/sdk/resource";
import { handlersOf } from "../../../../src/provider/sdk/handlers";

export interface Client {
  stop(): void;
  stopped: boolean;
}

const definition = define({
  name: "thing",
  description: "A thing.",
  config: z.object({
    size: attribute(z.int().max(1_000_000_000, "make it smaller"), "Size."),
    shape: attribute(z.string().optional(), "Shape.", {
      replace: true,
      rules: [(shape, report) => shape === "odd" && report("odd is unusual", [], "warning")],
    }),
  }),
  computed: z.object({ id: attribute(z.string(), "Id.") }),
  identity: z.object({ id: attribute(z.string(), "Id of the thing.") }),
});
export type Thing = Resource<Client, typeof definition>;

export const thing = (behaviour: Partial<Thing> = {}): Thing => ({
  definition,
  title: ({ id }) => `thing ${id}`,
  create: async () => ({ id: "1" }),
  read: async ({ size, id }) => ({ size: size!, id: id! }),
  update: async (_planned, { id }) => ({ id }),
  delete: async () => {},
  import: async (id) => ({ id }),
  upgrades: [
    ({ width, ...rest }) => ({ ...rest, length: width }),
    ({ length, ...rest }) => ({ ...rest, size: length }),
  ],
  ...behaviour,
});

const type: Type = ["object", { size: "number", shape: "string", id: "string" }];
export const bytes = (state: Value) => ({
  msgpack: encode(isObject(state) ? { shape: null, ...state } : state, type) as Buffer,
  json: Buffer.alloc(0),
});
/** The decoded state; leaves a null shape out. */
export function value(dynamic: { msgpack?: Uint8Array } | undefined) {
  const decoded = decode(dynamic!.msgpack!, type);
  if (!isObject(decoded)) return decoded;
  const { shape, ...rest } = decoded;
  return shape === null ? rest : decoded;
}
export const nothing = Buffer.alloc(0);

export function serve(
  resource: Resource<Client> = thing(),
  changes: Partial<Provider<Client> & ProviderBlock<Client>> = {},
  registry?: RegistryOptions,
) {
  const client: Client = { stopped: false, stop: () => (client.stopped = true) };
  const provider: Provider<Client> = {
    name: "test",
    version: "1.0.0",
    block: async () => ({ config: z.object({}), configure: () => client, ...changes }),
    resources: { thing: async () => resource },
    dataSources: {},
    explain: (error) => ({ code: ["TNF-PLAN-EFFECTS", "Trouble"], detail: (error as Error).message }),
    ...changes,
  };
  // The calls look like decoded protocol messages. A test may omit the fields that it does not check.
  const logged: unknown[][] = [];
  const log = (...line: unknown[]) => void logged.push(line);
  const handlers = handlersOf(provider, { log, registry }) as Record<string, (request: object) => Promise<any>>;
  const common = { typeName: "test_thing", priorPrivate: nothing, plannedPrivate: nothing, private: nothing };
  const call = (name: string, request: object = {}) => handlers[name]!({ ...common, ...request });
  return { call, client, logged };
}

/** Plans and applies one object with the messages that Terraform sends. */
export function host(call: ReturnType<typeof serve>["call"]) {
  const plan = (prior: Value, planned: Value, priorPrivate: Uint8Array = nothing) =>
    call("planResourceChange", {
      priorState: bytes(prior),
      proposedNewState: bytes(planned),
      config: bytes(planned),
      priorPrivate,
    });
  const apply = (prior: Value, planned: Value, plannedPrivate: Uint8Array = nothing) =>
    call("applyResourceChange", {
      priorState: bytes(prior),
      plannedState: bytes(planned),
      config: bytes(isObject(planned) ? { ...planned, id: null } : null),
      plannedPrivate,
    });
  return { plan, apply };
}

/** A configured provider, and its calls. */
export async function configured(
  behaviour: Partial<Thing> = {},
  ...rest: [changes?: object, registry?: RegistryOptions]
) {
  const { call, ...served } = serve(thing(behaviour), ...rest);
  await call("configureProvider", { config: undefined });
  const read = (id: string) => call("readResource", { currentState: bytes({ size: 1, id }) });
  return { call, read, ...served, ...host(call) };
}

/** A diagnostic of a test, whose title may be any text. */
export const said = (title: string, severity: Diagnostic["severity"] = "error") => ({
  severity,
  code: ["TNF-PLAN-EFFECTS", title] as const,
  detail: "",
});
