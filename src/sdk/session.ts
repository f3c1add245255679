/** The session that the calls of a configured process share. */
import type { Log } from "../plugin/log";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import type { Accounts } from "./account";
import type { Codec } from "./codec";
import { protocolDiagnostic } from "./diagnostic";
import type { IdentityCodec } from "./identity";
import type { PlanRegistry } from "./plan-registry";
import type { Context, Explanation, Resource } from "./resource";

/** A resource and the codecs of its values. */
export interface Managed<Client> {
  readonly resource: Resource<Client>;
  readonly codec: Codec;
  readonly identity: IdentityCodec;
}

export interface Session<Client> {
  /** Undefined while the provider block has unknown values that the client needs. */
  readonly client: Client | undefined;
  readonly registry: PlanRegistry;
  /** The topics of reported errors. */
  readonly reported: Set<string>;
  /** Whether an error occurred that every request meets. */
  isHopeless: boolean;
}

export function openSession<Client>(client: Client | undefined, registry: PlanRegistry): Session<Client> {
  return { client, registry, reported: new Set(), isHopeless: false };
}

export interface Surroundings<Client> {
  readonly log: Log;
  readonly accounts: Accounts<Client> | undefined;
  find(typeName: string): Promise<Managed<Client>>;
  /** Undefined before the provider is configured. */
  session(): Session<Client> | undefined;
  context(diagnostics: ProtocolDiagnostic[], privateState?: Record<string, unknown>): Context<Client>;
  explain(error: unknown): ProtocolDiagnostic;
  causeOf(error: unknown): Pick<Explanation, "isCommon" | "topic">;
  /** Warnings about the work so far that were not reported yet. */
  warnings(): ProtocolDiagnostic[];
}

/** An apply must report something for each failed change, because Terraform takes an empty response for success. */
export const notDone = {
  severity: "error",
  code: "TNF-NOT-DONE-EITHER",
  detail: "Another error of this run gives the cause. Correct that cause, then run the command again.",
  path: [],
} as const;

/** A plan that met an error that every request meets fails, so its other calls make no more API calls. */
export function isHopeless<Client>(session: Session<Client> | undefined): boolean {
  return session !== undefined && session.registry.phase !== "apply" && session.isHopeless;
}

/** The first call reports an error that several calls meet; the others report `instead`, if anything. */
export function reportOnce<Client>(
  { session, explain, causeOf }: Pick<Surroundings<Client>, "session" | "explain" | "causeOf">,
  error: unknown,
  instead?: typeof notDone,
): ProtocolDiagnostic[] {
  const current = session();
  if (!current) return [explain(error)];
  const { isCommon = false, topic } = causeOf(error);
  if (isCommon && current.isHopeless) return instead ? [protocolDiagnostic(instead)] : [];
  if (!instead && topic !== undefined && current.reported.has(topic)) return [];
  current.isHopeless ||= isCommon;
  if (topic !== undefined) current.reported.add(topic);
  return [explain(error)];
}
