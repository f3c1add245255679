/** The session of a provider process, and the helpers that its calls share. */
import { codeOf, titleOf, type Code } from "../codes/codes";
import type { Log } from "../plugin/log";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import { OtherAccount } from "./account";
import { DiagnosticError, protocolDiagnostic } from "./diagnostic";
import { find, type LazyMap } from "./lazy";
import { createPlanRegistry, type RegistryOptions } from "./plan-registry";
import { Incomplete, type Context, type Provider } from "./resource";
import { openSession, type Managed, type Session, type Surroundings } from "./session";

export interface SurroundingsOptions {
  readonly log: Log;
  readonly registry?: Omit<RegistryOptions, "terraformVersion">;
}

export interface ConfigurableSurroundings<Client> extends Surroundings<Client> {
  configure(known: Record<string, unknown>, terraformVersion: string): Promise<void>;
}

export function createSurroundings<Client extends { stop(): void }>(
  provider: Provider<Client>,
  resources: LazyMap<Managed<Client>>,
  { log, registry }: SurroundingsOptions,
): ConfigurableSurroundings<Client> {
  const warned = new Set<Code>();
  let session: Session<Client> | undefined;

  function explain(error: unknown): ProtocolDiagnostic {
    if (error instanceof Incomplete) return explain(error.cause);
    const { code, detail, path = [] } = error instanceof DiagnosticError ? error : provider.explain(error);
    log("error", titleOf(code), { detail });
    return protocolDiagnostic({ severity: "error", code, detail, path });
  }

  return {
    log,
    accounts: provider.accounts,
    find: (typeName) => find(resources, typeName),
    session: () => session,
    context: (diagnostics, privateState = {}) =>
      contextFor(provider, () => session, { log, explain }, diagnostics, privateState),
    explain,
    causeOf: (error) => (error instanceof OtherAccount ? { isCommon: true } : provider.explain(error)),

    warnings() {
      const all = session?.client && provider.warnings ? provider.warnings(session.client) : [];
      const fresh = all.filter(({ code }) => !warned.has(codeOf(code)));
      for (const { code } of fresh) warned.add(codeOf(code));
      return fresh.map((warning) => protocolDiagnostic({ ...warning, path: [] }));
    },

    async configure(known, terraformVersion) {
      const client = await provider.configure(known, { terraformVersion, log });
      // Two configurations of one tenant in one process share the planned changes, for example if Terraform attaches to the process.
      const both =
        session?.client && client && session.registry.isOpen() ? provider.join?.(session.client, client) : undefined;
      session = both
        ? { ...session!, client: both }
        : openSession(client, createPlanRegistry({ ...registry, terraformVersion }));
    },
  };
}

function contextFor<Client extends { stop(): void }>(
  { name }: Provider<Client>,
  session: () => Session<Client> | undefined,
  { log, explain }: { log: Log; explain(error: unknown): ProtocolDiagnostic },
  diagnostics: ProtocolDiagnostic[],
  privateState: Record<string, unknown>,
): Context<Client> {
  return {
    get client(): Client {
      const client = session()?.client;
      if (client) return client;
      throw new DiagnosticError(
        "TNF-CONFIGURATION-UNKNOWN",
        `Part of the configuration of the provider "${name}" is known only after apply, so the provider cannot call the service now. ` +
          "First apply the resources that this part depends on (with -target=ADDRESS), or give the value directly.",
      );
    },
    log,
    privateState,
    ...(session() && { otherCalls: session()!.registry.otherCalls }),
    report: (error) => diagnostics.push(explain(error)),
    warn: (code, detail) => diagnostics.push(protocolDiagnostic({ severity: "warning", code, detail, path: [] })),
  };
}
