/** What the tenant itself has, asked with the provider's environment. */
import { connectionFrom } from "../resources/provider/connection";
import { createTenant } from "../tenant/tenant";
import { version } from "../version";
import { ReviewError } from "./error";
import type { Values } from "./plan";

/** All network ACLs, also those that no stack manages. */
export async function livingAcls(environment: NodeJS.ProcessEnv): Promise<readonly Values[]> {
  const connection = connectionOf(environment);
  const tenant = createTenant({ ...connection, userAgent: `tenantform/${version}`, log: () => {} });
  try {
    return (await tenant.networkAcls.list()) as unknown as readonly Values[];
  } catch (error) {
    throw new ReviewError(`The tenant could not be asked: ${(error as Error).message}`);
  } finally {
    tenant.stop();
  }
}

function connectionOf(environment: NodeJS.ProcessEnv) {
  try {
    return connectionFrom({}, environment)!;
  } catch (error) {
    const { message, detail } = error as Error & { readonly detail?: string };
    throw new ReviewError(`--tenant: ${detail ?? message}`, 1);
  }
}
