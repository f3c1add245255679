/** Which authorities are trusted with which environment variables. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import tls, { connect } from "node:tls";
import { createEmulator } from "../../../src/emulator/emulator";
import { trust } from "../../../src/tenant/http/dispatcher";

/** A tenant with a certificate authority of its own. */
interface Party {
  readonly port: number;
  readonly pem: string;
  /** Has the path of the authority's certificate. */
  readonly file: string;
  close(): unknown;
}

let directory: string;
let parties: readonly Party[];
let one: Party;
let two: Party;
let three: Party;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "authorities-"));
  const party = async (name: string): Promise<Party> => {
    const { url, ca, close } = await createEmulator().listen({ tls: true });
    const file = path.join(directory, `${name}.pem`);
    await writeFile(file, ca!);
    return { port: Number(new URL(url).port), pem: ca!, file, close };
  };
  parties = [one, two, three] = [await party("one"), await party("two"), await party("three")];
});
afterAll(async () => {
  await Promise.all(parties.map(({ close }) => close()));
  await rm(directory, { recursive: true });
});

/** The tenants that the client trusts. */
const believed = (trusting: ReturnType<typeof trust>) =>
  Promise.all(
    parties.map(
      ({ port }) =>
        new Promise<boolean>((resolve) => {
          const socket = connect({ port, host: "127.0.0.1", servername: "localhost", secureContext: trusting });
          socket
            .once("error", () => resolve(false))
            .once("secureConnect", () => {
              socket.destroy();
              resolve(true);
            });
        }),
    ),
  );

test("leaves the trust to the runtime if no variable names a readable file", async () => {
  expect(trust(undefined, {})).toBeUndefined();
  expect(trust(undefined, { SSL_CERT_FILE: "" })).toBeUndefined();
  expect(trust(undefined, { SSL_CERT_FILE: path.join(directory, "none.pem") })).toBeUndefined();
  expect(trust(undefined, { SSL_CERT_FILE: two.file }, true)).toBeUndefined();
  expect(await believed(undefined)).toEqual([false, false, false]);
});

test("trusts each named authority in addition to the others", async () => {
  expect(await believed(trust(one.pem, {}))).toEqual([true, false, false]);
  expect(await believed(trust(undefined, { SSL_CERT_FILE: two.file }))).toEqual([false, true, false]);
  const all = { SSL_CERT_FILE: two.file, NODE_EXTRA_CA_CERTS: three.file };
  for (const follows of [false, true]) {
    expect(await believed(trust(one.pem, all, follows))).toEqual([true, true, true]);
  }
  const missing = { ...all, NODE_EXTRA_CA_CERTS: path.join(directory, "none.pem") };
  expect(await believed(trust(one.pem, missing))).toEqual([true, true, false]);
});

test("keeps the authorities of the runtime", () => {
  const make = jest.spyOn(tls, "createSecureContext");
  trust(one.pem, {});
  const [[options] = []] = make.mock.calls;
  make.mockRestore();
  expect(options!.ca).toEqual(expect.arrayContaining([...tls.rootCertificates]));
});
