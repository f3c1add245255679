/** The provider's responses that never change, in base64, by method. */
import { callsOf } from "../../provider/plugin/calls";
import { tenantProvider } from "../../provider/resources/provider";
import { handlersOf } from "../../provider/sdk/handlers";
import { version } from "../../version";

const methods = ["GetMetadata", "GetProviderSchema", "GetResourceIdentitySchemas", "GetFunctions"];

export async function preparedResponses(): Promise<Record<string, string>> {
  const call = callsOf(handlersOf(tenantProvider(version, {}), { log: () => {} }));
  const responses: Record<string, string> = {};
  for (const method of methods) {
    const response = await call(method, new Uint8Array());
    if (response) responses[method] = Buffer.from(response as Uint8Array).toString("base64");
  }
  return responses;
}
