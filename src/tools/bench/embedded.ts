/** What the embedded tenant costs with many members: requests a second, memory, and a page's price by the size of its list. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Pool } from "undici";
import { createEmulator, type Emulator } from "../../emulator/emulator";
import { userIds } from "./stack";
import { median } from "./table";
import { startTenant } from "./tenant";
import type { Bench } from "./terraform";

export interface Embedded {
  members: { few: number; many: number };
  /** Megabytes of heap that the many take. */
  megabytes: number;
  /** Milliseconds in which they are put in. */
  filledIn: number;
  /** Microseconds that a page of 100 takes, at pages spread over the whole list. */
  page: { few: number; many: number };
  /** The price of a page among many by that among few. */
  ratio: number;
  /** Over HTTP, the tenant in a process of its own: pages of 100 among many, and single organizations. */
  perSecond: { pages: number; reads: number };
}

const few = 1_000;
const many = 100_000;
/** Pages looked at, each so many times. */
const samples = 40;
const passes = 10;
const turns = 5;
const connections = 16;
const requests = 4_000;

type Ask = (path: string) => Promise<string>;
interface Page {
  members: unknown[];
  next?: string;
}

function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

async function tokenOf(url: string, client: { clientId: string; clientSecret: string }, ask: typeof fetch) {
  const form = {
    grant_type: "client_credentials",
    client_id: client.clientId,
    client_secret: client.clientSecret,
    audience: "/api/v2/",
  };
  const answer = await ask(`${url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  return ((await answer.json()) as { access_token: string }).access_token;
}

const pathOf = (organization: string, from?: string) =>
  `/organizations/${organization}/members?take=100${from ? `&from=${encodeURIComponent(from)}` : ""}`;

/** The paths of pages spread over the whole list. */
async function pathsOf(ask: Ask, organization: string, count: number): Promise<string[]> {
  const paths: string[] = [];
  let seen = 0;
  for (let from: string | undefined; ;) {
    const page = JSON.parse(await ask(pathOf(organization, from))) as Page;
    if (page.members.length === 100) paths.push(pathOf(organization, from));
    seen += page.members.length;
    from = page.next;
    if (page.members.length === 0 || !from) break;
  }
  if (seen !== count) throw new Error(`${seen} members are listed, ${count} were put in`);
  const step = Math.max(1, Math.floor(paths.length / samples));
  return paths.filter((_, index) => index % step === 0);
}

async function pageCost(ask: Ask, paths: readonly string[]): Promise<number> {
  const spent: number[] = [];
  for (let pass = 0; pass < passes; pass++) {
    for (const path of paths) {
      const started = performance.now();
      await ask(path);
      spent.push((performance.now() - started) * 1000);
    }
  }
  return median(spent);
}

async function measureInside(emulator: Emulator): Promise<Omit<Embedded, "perSecond" | "members">> {
  const collect = collector();
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const root = "http://127.0.0.1";
  const token = await tokenOf(root, emulator, (url, init) => emulator.fetch(new Request(url, init)));
  const ask: Ask = async (path) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await emulator.fetch(new Request(`${root}/api/v2${path}`, { headers }))).text();
  };
  const small = emulator.store.addOrganization({ members: userIds(few) }).id;
  const users = userIds(many);
  const before = heap();
  const started = performance.now();
  const large = emulator.store.addOrganization({ members: users }).id;
  const filledIn = performance.now() - started;
  const megabytes = heap() - before;

  const paths = { few: await pathsOf(ask, small, few), many: await pathsOf(ask, large, many) };
  const costs = { few: [] as number[], many: [] as number[] };
  for (let turn = 0; turn < turns; turn++) {
    costs.few.push(await pageCost(ask, paths.few));
    costs.many.push(await pageCost(ask, paths.many));
  }
  const page = { few: Math.min(...costs.few), many: Math.min(...costs.many) };
  return { megabytes, filledIn, page, ratio: page.many / page.few };
}

async function get(pool: Pool, path: string, token: string): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: "GET",
    path,
    headers: { authorization: `Bearer ${token}` },
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}`);
}

async function throughput(origin: string, path: string, token: string): Promise<number> {
  const pool = new Pool(origin, { connections });
  let left = requests;
  const work = async () => {
    while (left-- > 0) await get(pool, path, token);
  };
  const started = performance.now();
  try {
    await Promise.all(Array.from({ length: connections }, work));
    return (requests / (performance.now() - started)) * 1000;
  } finally {
    await pool.destroy();
  }
}

export async function measureEmbedded({ folder, say }: Bench): Promise<Embedded> {
  const inside = await measureInside(createEmulator());
  say(`the embedded tenant: a page among ${many} costs ${inside.ratio.toFixed(2)} times one among ${few}`);
  const id = "org_benchmark0000001";
  const tenant = await startTenant({ seed: { organizations: [{ id, members: userIds(many) }] } }, folder);
  try {
    const token = await tokenOf(tenant.url, tenant, fetch);
    const pages = await throughput(tenant.url, `/api/v2${pathOf(id)}`, token);
    const reads = await throughput(tenant.url, `/api/v2/organizations/${id}`, token);
    return { members: { few, many }, ...inside, perSecond: { pages, reads } };
  } finally {
    await tenant.close();
  }
}
