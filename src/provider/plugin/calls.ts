/** Decodes Terraform's calls for the provider's handlers, and encodes the responses. */
import type { Response } from "./grpc";
import type { ProviderHandlers } from "./handlers";
import { ProviderDefinition } from "./protocol/tfplugin6";

interface Codec {
  decode(bytes: Uint8Array): unknown;
  encode(message: unknown): { finish(): Uint8Array };
}

/** Carries out the call with this name, such as `ReadResource`. Undefined if the provider has no such call. */
export type Calls = (name: string, request: Uint8Array) => Promise<Response | undefined>;

type Handler = (request: unknown) => Promise<unknown> | AsyncIterable<unknown>;

const methods: Readonly<Record<string, { requestType: Codec; responseType: Codec }>> = ProviderDefinition.methods;

export function callsOf(handlers: ProviderHandlers): Calls {
  return async (name, request) => {
    const key = name.replace(/^./, (initial) => initial.toLowerCase());
    const method = methods[key];
    const handler = handlers[key as keyof ProviderHandlers] as Handler | undefined;
    if (!method || !handler) return undefined;
    const bytesOf = (message: unknown) =>
      message instanceof Uint8Array ? message : method.responseType.encode(message).finish();
    const response = handler(method.requestType.decode(request));
    return Symbol.asyncIterator in response ? each(response, bytesOf) : bytesOf(await response);
  };
}

async function* each(messages: AsyncIterable<unknown>, bytesOf: (message: unknown) => Uint8Array) {
  for await (const message of messages) yield bytesOf(message);
}
