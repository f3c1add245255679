/** The provider fetches its token early if API calls will follow, and remembers the quota for later processes. */
import { createEmulator } from "../../../src/emulator/emulator";
import { tenantProvider, type Edge } from "../../../src/resources/provider";

/** Configures the provider for a new embedded tenant. Returns what follows from that. */
async function configured(edge: Edge, clientSecret?: string) {
  const emulator = createEmulator({ tier: "enterprise" });
  const { url, close: hangUp } = await emulator.listen();
  const written = { endpoint: url, client_id: emulator.clientId, client_secret: clientSecret ?? emulator.clientSecret };
  const client = await tenantProvider("1.0.0", {}, edge).configure(written, {
    terraformVersion: "1.9.0",
    log: () => {},
  });
  const close = async () => (await client!.tenant.close(), hangUp());
  return { client: client!, emulator, close };
}
const pathsOf = ({ emulator }: Awaited<ReturnType<typeof configured>>) => emulator.requests.map(({ path }) => path);

test("shares the early token with the call that needs it", async () => {
  const provider = await configured({ sendsCalls: () => true });
  await provider.client.tenant.networkAcls.list();
  expect(pathsOf(provider)[0]).toBe("/oauth/token");
  expect(pathsOf(provider)).toHaveLength(2);
  await provider.close();
});

test("sends no request before a call if none is certain", async () => {
  const provider = await configured({ sendsCalls: () => false });
  await provider.close();
  expect(pathsOf(provider)).toEqual([]);
});

test("reports the error of an early token by the call that needs it", async () => {
  const provider = await configured({ sendsCalls: () => true }, "wrong");
  await expect(provider.client.tenant.networkAcls.list()).rejects.toMatchObject({ code: "token_request_failed" });
  expect(pathsOf(provider)).toEqual(["/oauth/token"]);
  await provider.close();
});

test("notes the quota at the end of the process, under the address of the tenant", async () => {
  const ends: (() => void)[] = [];
  const notes: [string, object][] = [];
  const quotaNotes = (tenant: string) => ({
    read: () => undefined,
    write: (note: object) => void notes.push([tenant, note]),
  });
  const provider = await configured({ quotaNotes, atEnd: (end) => ends.push(end) });
  await provider.client.tenant.networkAcls.list();
  for (const end of ends) end();
  await provider.close();
  expect(notes).toEqual([[provider.client.site, { limit: 50, level: expect.any(Number), at: expect.any(Number) }]]);
});
