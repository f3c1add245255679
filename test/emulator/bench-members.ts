// What the embedded tenant costs with many members: requests a second, memory, and a page's price by the size of its list.
//   tsx test/emulator/bench-members.ts      (with node's --expose-gc for truer memory figures)

import { Agent, request } from "node:http";
import { createEmulator, type Emulator } from "../../src/emulator/emulator";

const small = 1_000;
const large = 100_000;
const rounds = 40;

const users = (count: number) => Array.from({ length: count }, (_, n) => `auth0|${n.toString(16).padStart(24, "0")}`);

const megabytes = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >>> 1]!;

async function grant(emulator: Emulator): Promise<string> {
  const form = {
    grant_type: "client_credentials",
    client_id: emulator.clientId,
    client_secret: emulator.clientSecret,
    audience: "/api/v2/",
  };
  const url = "http://127.0.0.1/oauth/token";
  const answer = await emulator.fetch(new Request(url, { method: "POST", body: new URLSearchParams(form) }));
  return ((await answer.json()) as { access_token: string }).access_token;
}

function get(url: string, agent: Agent, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request(url, { agent, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve(text)).on("error", reject);
    });
    sent.on("error", reject).end();
  });
}

/** Microseconds a page of 100 takes, at pages spread over the whole list. */
async function pageCost(emulator: Emulator, token: string, organization: string, count: number): Promise<number> {
  const index = emulator.store.members(organization)!.index;
  const cursors = Array.from({ length: rounds }, (_, n) => {
    const { micros, user } = index.slice(Math.floor((n * (count - 100)) / rounds), 1)[0]!;
    const moment = new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19).replace("T", " ");
    return Buffer.from(`${moment}.${String(micros % 1e6).padStart(6, "0")}UTC,${user}`).toString("base64");
  });
  const spent: number[] = [];
  for (let pass = 0; pass < 20; pass++) {
    for (const from of cursors) {
      const url = `http://127.0.0.1/api/v2/organizations/${organization}/members?take=100&from=${encodeURIComponent(from)}`;
      const started = performance.now();
      const answer = await emulator.fetch(new Request(url, { headers: { authorization: `Bearer ${token}` } }));
      const { members } = (await answer.json()) as { members: unknown[] };
      spent.push((performance.now() - started) * 1000);
      if (members.length < 99) throw new Error(`a page of ${members.length}`);
    }
  }
  return median(spent);
}

async function throughput(emulator: Emulator, token: string, path: string): Promise<number> {
  const { url, close } = await emulator.listen();
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const total = 4_000;
  let left = total;
  const work = async () => {
    while (left-- > 0) await get(`${url}/api/v2${path}`, agent, token);
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: 16 }, work));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  await close();
  return total / seconds;
}

const say = (text: string) => process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const emulator = createEmulator();
  const token = await grant(emulator);
  const few = emulator.store.addOrganization({ members: users(small) }).id;
  const before = megabytes();
  const started = performance.now();
  const many = emulator.store.addOrganization({ members: users(large) }).id;
  const filled = performance.now() - started;
  const after = megabytes();
  await pageCost(emulator, token, few, small);
  const costs: [number, number][] = [];
  for (let turn = 0; turn < 5; turn++) {
    costs.push([await pageCost(emulator, token, few, small), await pageCost(emulator, token, many, large)]);
  }
  const [ofFew, ofMany] = [median(costs.map(([cost]) => cost)), median(costs.map(([, cost]) => cost))];
  say(`${large} members: filled in ${filled.toFixed(0)} ms, ${(after - before).toFixed(1)} MB`);
  say(
    `a page of 100 takes ${ofFew.toFixed(0)} us among ${small}, ${ofMany.toFixed(0)} us among ${large}: ratio ${(ofMany / ofFew).toFixed(2)}`,
  );
  const page = await throughput(emulator, token, `/organizations/${many}/members?take=100`);
  const single = await throughput(emulator, token, `/organizations/${many}`);
  say(
    `over HTTP, client and tenant in one process: ${page.toFixed(0)} pages a second, ${single.toFixed(0)} single reads a second`,
  );
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
