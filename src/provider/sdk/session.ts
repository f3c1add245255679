/** The session of a provider process, and what its calls share. It refuses a state of another account than that of the client. */
import { type Code, codeOf, rows, titleOf } from "../../judge/codes/codes";
import type { Log } from "../plugin/log";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import type { Codec, IdentityCodec } from "./codec";
import type { Identity, Known } from "./definition";
import { type Diagnostic, DiagnosticError, protocolDiagnostic } from "./diagnostic";
import { createPlanRegistry, type Kept, type PlanRegistry, type RegistryOptions } from "./plan-registry";
import {
  type Account,
  type Accounts,
  type Context,
  type Explanation,
  find,
  Incomplete,
  LazyMap,
  type Provider,
  type Resource,
} from "./resource";

/** A resource and the codecs of its values. */
export interface Managed<Client> {
  readonly resource: Resource<Client>;
  readonly codec: Codec;
  readonly identity: IdentityCodec;
}

export type Review = (report: (diagnostic: Diagnostic) => void) => Promise<void>;

export interface Session<Client> {
  /** Undefined while the provider block has unknown values that the client needs. */
  readonly client: Client | undefined;
  readonly registry: PlanRegistry;
  /**
   * Terraform plans new objects before it reads others, as an apply does, so they look nothing up until a call shows a plan. It reviews them
   * again: only the review of a kind knows what to read, and that of a member set reports itself, so the judge of the plan cannot do it.
   */
  readonly early: Review[];
  /** The topics of reported errors. */
  readonly reported: Set<string>;
  /** Whether an error occurred that every request meets. */
  isHopeless: boolean;
}

/** What a call asks about other objects of its kind. */
type Others = Pick<Context<unknown>, "madeHere" | "others" | "adopted">;

export interface Surroundings<Client> {
  readonly log: Log;
  readonly accounts: Accounts<Client> | undefined;
  find(typeName: string): Promise<Managed<Client>>;
  /** Undefined before the provider is configured. */
  session(): Session<Client> | undefined;
  context(diagnostics: ProtocolDiagnostic[], others?: Others): Context<Client>;
  explain(error: unknown): ProtocolDiagnostic;
  causeOf(error: unknown): Pick<Explanation, "isCommon" | "topic">;
  /** Warnings about the work so far that were not reported yet. */
  warnings(): ProtocolDiagnostic[];
}

/** An apply must report something for each failed change, because Terraform takes an empty response for success. */
export const notDone = {
  severity: "error",
  code: "TNF-NOT-DONE-EITHER",
  detail: rows["TNF-NOT-DONE-EITHER"].remedy!,
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

export interface SurroundingsOptions {
  readonly log: Log;
  readonly registry?: RegistryOptions;
}

export interface ConfigurableSurroundings<Client> extends Surroundings<Client> {
  /** Without a client while a value that it needs is unknown. */
  begin(client: Client | undefined): void;
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
    context: (diagnostics, others = { madeHere: () => false, others: () => [], adopted: () => {} }) =>
      contextFor(provider, () => session, { log, explain, ...others }, diagnostics),
    explain,
    causeOf: (error) => (isOtherTenant(error) ? { isCommon: true } : provider.explain(error)),

    warnings() {
      const all = session?.client && provider.warnings ? provider.warnings(session.client) : [];
      const fresh = all.filter(({ code }) => !warned.has(codeOf(code)));
      for (const { code } of fresh) warned.add(codeOf(code));
      return fresh.map((warning) => protocolDiagnostic({ ...warning, path: [] }));
    },

    begin(client) {
      session = {
        client,
        registry: createPlanRegistry(registry),
        early: [],
        reported: new Set(),
        isHopeless: false,
      };
    },
  };
}

/** Each object of the run would meet it. */
const isOtherTenant = (error: unknown) => error instanceof DiagnosticError && error.code === "TNF-OTHER-TENANT";

function contextFor<Client extends { stop(): void }>(
  { name }: Provider<Client>,
  session: () => Session<Client> | undefined,
  { explain, ...own }: Pick<Context<Client>, "log"> & Others & Pick<Surroundings<Client>, "explain">,
  diagnostics: ProtocolDiagnostic[],
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
    ...own,
    ...(session() && { otherCalls: session()!.registry.otherCalls }),
    report: (error) => diagnostics.push(explain(error)),
    warn: (code, detail) => diagnostics.push(protocolDiagnostic({ severity: "warning", code, detail, path: [] })),
  };
}

/** Private state: bytes that Terraform stores with a state or a plan, and returns. */
export interface Private {
  readonly account?: Account | undefined;
  /** Identifies the object in the plan registry; missing until it was read or planned once. */
  readonly objectKey?: string;
  /** The parts of the object, as it was read, that this version does not know. */
  readonly strange?: readonly string[];
  /** Only in a plan: whether the apply reviews the change again before it writes it. */
  readonly reviewAgain?: boolean;
  /**
   * In a plan: the identity of the object that one which is destroyed makes way for; absent where it is not known. In a state: its own
   * identity, if another entry has adopted the object. Terraform plans deposed objects again when it applies, with the private state alone.
   */
  readonly successor?: Identity;
  /** Parts of other objects that an apply must know, as they were read with this one. */
  readonly others?: Kept | undefined;
  /** In a plan alone: the object that a new one takes the place of; Terraform hands it to the plan of the new one. */
  readonly replaced?: { readonly objectKey?: string; readonly identity?: Identity };
  /**
   * Milliseconds since the UNIX epoch, until the first update: the service had the object before it was created, so another entry of the
   * state may be the same object.
   */
  readonly adopted?: number | undefined;
}

/** The parts of other objects that an apply of this one must know. */
export function partsFor<Client>(
  { definition: { name }, partOf }: Resource<Client>,
  state: Known,
  registry: PlanRegistry | undefined,
  { objectKey, others }: Private,
): Kept | undefined {
  if (!partOf || !registry) return undefined;
  const parts = registry.others(name, objectKey, others).flatMap(([key, other]) => {
    const part = partOf(other, state);
    return part ? [[key, part] as const] : [];
  });
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

export function openPrivate(bytes: Uint8Array | undefined): Private {
  return bytes?.length ? (JSON.parse(Buffer.from(bytes).toString()) as Private) : {};
}

export function sealPrivate(content: Private): Uint8Array {
  return Buffer.from(JSON.stringify(content));
}

/** `account`: as noted in the state; `title` names the object. */
export interface Checked {
  readonly account?: Account | undefined;
  readonly title: () => string;
}

/** The account to note. Throws a DiagnosticError if the object belongs to another one. */
export async function checkedAccount<Client>(
  { accounts, session }: Pick<Surroundings<Client>, "accounts" | "session">,
  { account: noted, title }: Checked,
): Promise<Account | undefined> {
  const client = session()?.client;
  if (!accounts || !client || isHopeless(session())) return noted;
  const current = await accounts.current(client);
  if (!noted || !current || noted.id === current.id || accounts.isExpected(client, current)) {
    accounts.stay(client);
    return current ?? noted;
  }
  throw new DiagnosticError(
    "TNF-OTHER-TENANT",
    `${title()} is an object of ${noted.name}, but the provider's configuration is for ${current.name}. This object was not changed. ` +
      accounts.remedy(current),
  );
}

/** The account to note for a new object, if it is known without an API call. */
export function knownAccount<Client>({
  accounts,
  session,
}: Pick<Surroundings<Client>, "accounts" | "session">): Account | undefined {
  const client = session()?.client;
  return client && accounts?.known(client);
}

/** The account to note with a change, and the errors that forbid the change. */
export async function accountFor<Client>(
  surroundings: Surroundings<Client>,
  checked: Checked,
  instead?: typeof notDone,
): Promise<{ readonly account: Account | undefined; readonly errors: readonly ProtocolDiagnostic[] }> {
  try {
    return { account: await checkedAccount(surroundings, checked), errors: [] };
  } catch (error) {
    return { account: checked.account, errors: reportOnce(surroundings, error, instead) };
  }
}
