/** The embedded tenant that enforces its ACLs, and notes each write that blocks Terraform. */
import { decide } from "../../../../../src/emulator/enforcement/decide";
import { listeningTenant } from "../../../../support/tenant";

const ip = "127.0.0.1";
const paths = ["/api/v2/network-acls", "/oauth/token"];

/** A tenant that notes each lock-out, and calls `onWrite` after each write. */
export async function openTenant(onWrite: () => void = () => {}) {
  const lockouts: string[] = [];
  const { emulator, env, close } = await listeningTenant({
    enforce: true,
    flags: ["tenant_acl_match_all"],
    latency: 15,
    onRequest({ method, path: at, status }) {
      const acls = emulator.store.networkAcls.values();
      const facts = { ip, connecting_ip: ip, hostname: ip };
      const denied = paths.filter((one) => decide(acls, one, facts).outcome !== "allowed");
      if (denied.length > 0) lockouts.push(`${method} ${at} (${status}) denies ${denied.join(" and ")}`);
      if (method !== "GET" && !at.startsWith("/oauth/")) onWrite();
    },
  });
  return { lockouts, environment: env, close, count: () => [...emulator.store.networkAcls.values()].length };
}
