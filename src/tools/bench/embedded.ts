/** Requests per second that the embedded tenant serves, with 100,000 members in one organization. undici generates the load. */
import { Pool } from "undici";
import { userIds } from "./stack";
import { figure, table } from "./table";
import { startTenant, type Tenant } from "./tenant";
import type { Bench } from "./terraform";

export interface Embedded {
  readonly members: number;
  /** Requests per second: pages of 100 members, and single organizations. */
  readonly pages: number;
  readonly reads: number;
}

const members = 100_000;
const connections = 16;
const requests = 4_000;
const id = "org_benchmark0000001";

async function tokenOf({ url, clientId, clientSecret }: Tenant): Promise<string> {
  const form = {
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    audience: "/api/v2/",
  };
  const response = await fetch(`${url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function requestsPerSecond(pool: Pool, path: string, token: string): Promise<number> {
  let left = requests;
  const work = async () => {
    while (left-- > 0) {
      const headers = { authorization: `Bearer ${token}` };
      const { statusCode, body } = await pool.request({ method: "GET", path, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path} returned ${statusCode}`);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  return (requests / (performance.now() - started)) * 1000;
}

export async function measureEmbedded({ folder }: Bench): Promise<Embedded> {
  const tenant = await startTenant({ seed: { organizations: [{ id, members: userIds(members) }] } }, folder);
  const pool = new Pool(tenant.url, { connections });
  try {
    const token = await tokenOf(tenant);
    const organization = `/api/v2/organizations/${id}`;
    const pages = await requestsPerSecond(pool, `${organization}/members?take=100`, token);
    return { members, pages, reads: await requestsPerSecond(pool, organization, token) };
  } finally {
    await pool.destroy();
    await tenant.close();
  }
}

export function embeddedTable({ members: count, pages, reads }: Embedded): string {
  return table(
    [`embedded tenant with ${count} members`, "per second"],
    [
      ["pages of 100 members", figure(pages)],
      ["single organizations", figure(reads)],
    ],
  );
}
