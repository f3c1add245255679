/** Credentials stay with the endpoint: the client follows no redirect, neither to another origin nor to the same one. */
import { createTenant, type Credentials } from "../../../src/tenant/tenant";
import { closeAll, ok, serve } from "../support/bytes-server";

afterEach(closeAll);

const secret: Credentials = { kind: "client_secret", clientId: "client", clientSecret: "hush" };
const ready: Credentials = { kind: "access_token", accessToken: "ready" };
const token = ok('{"access_token":"fetched","expires_in":3600}', "content-type: application/json\r\n");

/** Reads all ACLs from a tenant that redirects one path. Returns the paths of the requests to each server. */
async function redirected(credentials: Credentials, status: number, path: string, target: "same" | "another") {
  const other = await serve((socket) => socket.write(ok("{}")));
  const endpoint = await serve((socket, { head }) => {
    const location = target === "same" ? "/elsewhere" : `${other.origin}/elsewhere`;
    const redirect = `HTTP/1.1 ${status} Elsewhere\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`;
    socket.write(head.includes(` ${path}`) ? redirect : head.startsWith("POST /oauth/token") ? token : ok("{}"));
  });
  const tenant = createTenant({ endpoint: endpoint.origin, credentials, userAgent: "test", environment: {} });
  try {
    await expect(tenant.networkAcls.list()).rejects.toMatchObject({ code: "redirected", status });
  } finally {
    await tenant.close();
  }
  const pathsOf = ({ asked }: typeof other) => asked.map(({ head }) => head.split(/[ ?]/)[1]);
  return { endpoint: pathsOf(endpoint), other: pathsOf(other) };
}

describe.each([301, 302, 303, 307, 308])("status %i", (status) => {
  test.each(["same", "another"] as const)("is not followed to %s origin with any credentials", async (target) => {
    const acls = "/api/v2/network-acls";
    expect(await redirected(secret, status, "/oauth/token", target)).toEqual({ endpoint: ["/oauth/token"], other: [] });
    expect(await redirected(secret, status, acls, target)).toEqual({ endpoint: ["/oauth/token", acls], other: [] });
    expect(await redirected(ready, status, acls, target)).toEqual({ endpoint: [acls], other: [] });
  });
});
