/** `--native URL` downloads only over https, sends credentials only to the named origin, and ends. */
import { createServer as createSecureServer } from "node:https";
import { createServer, type RequestListener } from "node:http";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createCertificate } from "../../src/emulator/http/server";
import { sourceAt } from "../../src/install/source";
import { run } from "../support/program";
import { here, packaged, release, zipOf } from "./support/release";
import { filesOf, serving } from "./support/server";

let home: string;
let cli: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-"));
  cli = await packaged(home);
});
afterEach(() => rm(home, { recursive: true }));

const call = (from: string, env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [cli, "install", "--native", from], { cwd: home, env: { HOME: home, ...env } });

async function refused(why: RegExp, from: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const { code, stdout, stderr } = await call(from, env);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(why) });
  expect(stderr).not.toContain("secret");
  expect(await readdir(home)).not.toContain(".terraform.d");
}

/** Reads a file without the command. */
async function refusedRead(why: RegExp, from: string): Promise<void> {
  const read = async () => sourceAt(from).read(zipOf(here), 1000);
  const { message } = await read().then(
    () => ({ message: "read" }),
    (error: Error) => error,
  );
  expect(message).toMatch(why);
  expect(message).not.toContain("secret");
}

/** Serves files and records the requests. */
async function counting(answer: RequestListener, during: (port: number) => Promise<void>): Promise<number> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    answer(request, response);
  });
  await serving(server, during);
  return requests;
}

describe("uses plain http only for servers on this machine:", () => {
  test.each([
    "http://0.0.0.0:PORT",
    "HTTP://0.0.0.0:PORT/x",
    " http://0.0.0.0:PORT",
    "http:0.0.0.0:PORT",
    "http:/0.0.0.0:PORT",
    "http:\\\\0.0.0.0:PORT",
    "http://127.0.0.1@0.0.0.0:PORT",
    "http://[::ffff:127.0.0.1]:PORT",
    "http://localhost.:PORT",
    "http://127.artifacts.example:PORT",
    "http://localhost.example:PORT",
    "http://artifacts.example:PORT",
    "ftp://localhost:PORT",
    "file:///tmp",
  ])("%s", async (from) => {
    const requests = await counting(filesOf(home), (port) =>
      refusedRead(/ is not https\. Use an https URL/, from.replace("PORT", `${port}`)),
    );
    expect(requests).toBe(0);
  });

  test.each(["http://127.0.0.1:PORT", "http://localhost:PORT/", "HTTP://127.1:PORT//"])("allows %s", async (from) => {
    const { folder } = await release(home, [here]);
    await counting(filesOf(folder), async (port) => {
      expect(await call(from.replace("PORT", `${port}`))).toMatchObject({ code: 0, stderr: "" });
    });
  });
});

describe("passwords", () => {
  test.each([
    "http://ada:secret@0.0.0.0/zips",
    "https:/ada:secret@127.0.0.1:1/zips?token=secret",
    "ftp://ada:secret@artifacts.example",
    "ada:secret@artifacts.example/zips",
    "https://ada:secret@[zips",
    "https://ada:secret@127.0.0.1:1/zips",
    "ada:1/secret@artifacts.example/zips",
    "://ada:secret@artifacts.example",
    "http://ada:1/secret@artifacts.example",
  ])("in %s are not printed", async (from) => {
    await refusedRead(/https|does not exist/, from);
  });

  test("go to the named origin, with the query, and to no other origin", async () => {
    const { folder } = await release(home, [here]);
    const asked: (string | undefined)[][] = [];
    const asking = (name: string, answer: RequestListener): RequestListener => {
      return (request, response) => {
        asked.push([name, request.url!.split("?")[1], request.headers.authorization]);
        answer(request, response);
      };
    };
    await serving(createServer(asking("other", filesOf(folder))), async (other) => {
      const redirect: RequestListener = ({ url }, response) => {
        const location = `http://127.0.0.1:${other}${new URL(url!, "http://any").pathname}`;
        response.writeHead(302, { location }).end();
      };
      await serving(createServer(asking("named", redirect)), async (port) => {
        const { code, stderr } = await call(`http://ada:s%3Acret@127.0.0.1:${port}?sig=1`);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      });
    });
    const basic = `Basic ${Buffer.from("ada:s:cret").toString("base64")}`;
    expect(asked).toEqual([
      ["named", "sig=1", basic],
      ["other", undefined, undefined],
    ]);
  });
});

test("downloads over https with a private authority, and says how to name the authority", async () => {
  const { folder } = await release(home, [here]);
  const { ca, ...certificate } = createCertificate(Date.now(), []);
  await writeFile(path.join(home, "ca.pem"), ca);
  await serving(createSecureServer(certificate, filesOf(folder)), async (port) => {
    const from = `https://localhost:${port}`;
    await refused(
      /^https:\/\/localhost:\d+ cannot be read \(\w+\)\. If an authority of your company issued the certificate, set NODE_EXTRA_CA_CERTS to the PEM file of that authority\./,
      from,
    );
    const { code, stderr } = await call(from, { NODE_EXTRA_CA_CERTS: path.join(home, "ca.pem") });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("gives up on a server", () => {
  const refusing = (answer: RequestListener, why: RegExp) =>
    serving(createServer(answer), (port) => refusedRead(why, `http://127.0.0.1:${port}`));

  test("that sends without an end, at the limit", async () => {
    await refusing((_, response) => {
      const send = () => void (response.write(Buffer.alloc(64)) ? setImmediate(send) : response.once("drain", send));
      send();
    }, /\.zip is larger than 1000 bytes, so it is not a file of a release\./);
  });

  test("that closes the connection, with a readable error", async () => {
    await refusing((request, response) => {
      response.writeHead(200, { "content-length": 500 }).write("some");
      setImmediate(() => request.socket.destroy());
    }, /cannot be read \(\w+\)\. Download the zip by other means/);
  });
});
