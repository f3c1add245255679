/** Terraform's calls between their bytes and the provider's handlers. */
import { GrpcError, status, type Answer } from "./grpc";
import type { ProviderHandlers } from "./handlers";
import { ProviderDefinition } from "./protocol/tfplugin6";

interface Codec {
  decode(bytes: Uint8Array): unknown;
  encode(message: unknown): { finish(): Uint8Array };
}

type Handler = (request: unknown) => Promise<unknown> | AsyncIterable<unknown>;

const methods: Readonly<Record<string, { requestType: Codec; responseType: Codec }>> = ProviderDefinition.methods;

/** Answers the call of a name, such as `ReadResource`; UNIMPLEMENTED where there is no handler. */
export function callsOf(handlers: ProviderHandlers) {
  return async (name: string, request: Uint8Array): Promise<Answer> => {
    const key = name.replace(/^./, (initial) => initial.toLowerCase());
    const method = methods[key];
    const handler = handlers[key as keyof ProviderHandlers] as Handler | undefined;
    if (!method || !handler) throw new GrpcError(status.unimplemented, `This provider has no ${name}`);
    const bytesOf = (message: unknown) =>
      message instanceof Uint8Array ? message : method.responseType.encode(message).finish();
    const answer = handler(method.requestType.decode(request));
    return Symbol.asyncIterator in answer ? each(answer, bytesOf) : bytesOf(await answer);
  };
}

async function* each(messages: AsyncIterable<unknown>, bytesOf: (message: unknown) => Uint8Array) {
  for await (const message of messages) yield bytesOf(message);
}
