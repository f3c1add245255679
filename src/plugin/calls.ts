/** Terraform's calls between their bytes and the provider's handlers. */
import type { Answer } from "./grpc";
import type { ProviderHandlers } from "./handlers";
import { ProviderDefinition } from "./protocol/tfplugin6";

interface Codec {
  decode(bytes: Uint8Array): unknown;
  encode(message: unknown): { finish(): Uint8Array };
}

/** Answers the call of a name, such as `ReadResource`, from bytes to bytes; undefined where the provider has no such call. */
export type Calls = (name: string, request: Uint8Array) => Promise<Answer | undefined>;

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
    const answer = handler(method.requestType.decode(request));
    return Symbol.asyncIterator in answer ? each(answer, bytesOf) : bytesOf(await answer);
  };
}

async function* each(messages: AsyncIterable<unknown>, bytesOf: (message: unknown) => Uint8Array) {
  for await (const message of messages) yield bytesOf(message);
}
