/** Read, plan and apply: what Terraform asks for one object, around what its resource does. */
import { equal, unknown, type ObjectValue, type Value } from "../cty/value";
import type { ProviderHandlers } from "../plugin/handlers";
import type { Log } from "../plugin/log";
import type { Diagnostic } from "../plugin/protocol/tfplugin6";
import { faultsOf, isError, type Codec, type Defined } from "./codec";
import { diagnosticOf, protocolPath } from "./diagnostic";
import { toPlain } from "./plain";
import { planChange } from "./plan";
import { openPrivate, sealPrivate } from "./private";
import { Incomplete, type AnyResource, type Change, type Context } from "./resource";
import type { Session } from "./session";

type ResourceCodec<Client> = Codec<AnyResource<Client>>;

/** What the calls of one process share. */
export interface Surroundings<Client> {
  readonly log: Log;
  find(typeName: string): ResourceCodec<Client>;
  /** Undefined before the provider is configured. */
  session(): Session<Client> | undefined;
  context(diagnostics: Diagnostic[], memory?: Record<string, unknown>): Context<Client>;
  explain(error: unknown): Diagnostic;
  /** What people should know of the work so far. */
  remarks(): Diagnostic[];
}

type Lifecycle = Pick<ProviderHandlers, "readResource" | "planResourceChange" | "applyResourceChange">;

export function lifecycle<Client>({ log, find, session, context, explain, remarks }: Surroundings<Client>): Lifecycle {
  return {
    async readResource({ typeName, currentState, private: kept }) {
      const codec = find(typeName);
      const prior = codec.decode(currentState);
      if (!prior) return { newState: codec.encode(null), private: kept };
      const diagnostics: Diagnostic[] = [];
      const { memory } = openPrivate(kept);
      const around = context(diagnostics, memory);
      const known = codec.known(prior);
      session()?.touch();
      if (session()?.client === undefined) {
        around.warn(
          "Not compared with the service",
          `${codec.definition.title(known)}: part of the provider block is only known after apply, so the plan goes ` +
            "by the state alone.",
        );
        return { newState: currentState, private: kept, diagnostics };
      }
      const found = await codec.definition.read(known, around);
      if (!found) {
        around.warn(
          "Gone from the service",
          `The service knows nothing of ${codec.definition.title(known)} any more. It leaves the state; if the ` +
            "configuration still has it, it will be created anew.",
        );
      }
      diagnostics.push(...remarks());
      return { newState: codec.encode(codec.fromPlain(found)), private: sealPrivate({ memory }), diagnostics };
    },

    async planResourceChange({ typeName, priorState, proposedNewState, config, priorPrivate }) {
      const codec = find(typeName);
      const prior = codec.decode(priorState);
      const written = codec.decode(proposedNewState) && codec.decode(config);
      const { memory, replaced } = openPrivate(priorPrivate);
      session()?.touch();
      if (!written) {
        const diagnostics = prior ? await review(codec, { action: "destroy", prior: codec.known(prior) }) : [];
        return { plannedState: codec.encode(null), plannedPrivate: sealPrivate({ memory }), diagnostics };
      }
      const diagnostics = faultsOf(codec, written).filter(isError);
      const { planned, replace } = planChange(codec.attributes, prior, written);
      if (diagnostics.length === 0) {
        diagnostics.push(...(await review(codec, changeOf(codec, prior, planned, replace, replaced))));
      }
      return {
        plannedState: codec.encode(planned),
        requiresReplace: replace.map(protocolPath),
        plannedPrivate: sealPrivate({
          memory,
          successor: codec.known(planned),
          replaced: prior ? codec.known(prior) : undefined,
        }),
        diagnostics,
      };
    },

    async applyResourceChange({ typeName, priorState, plannedState, config, plannedPrivate }) {
      const codec = find(typeName);
      const prior = codec.decode(priorState);
      const planned = codec.decode(plannedState);
      const { memory, successor } = openPrivate(plannedPrivate);
      const diagnostics = faultsOf(codec, codec.decode(config)).filter(isError);
      const answer = (newState: Value) => ({
        newState: codec.encode(newState),
        private: sealPrivate({ memory }),
        diagnostics: [...diagnostics, ...remarks()],
      });
      if (diagnostics.length > 0) return answer(prior);
      session()?.begin();

      const { create, update, delete: destroy } = codec.definition;
      const around = context(diagnostics, memory);
      try {
        if (planned) {
          const wanted = codec.known(planned);
          const computed = prior ? await update(wanted, codec.known(prior), around) : await create(wanted, around);
          return answer(join(codec, planned, computed));
        }
        if (prior) await destroy(codec.known(prior), around, successor);
        return answer(null);
      } catch (error) {
        diagnostics.push(explain(error));
        if (!(error instanceof Incomplete)) return answer(prior);
        return answer(join(codec, planned ?? prior ?? {}, error.state));
      }
    },
  };

  async function review(codec: ResourceCodec<Client>, change: Change<any, any>): Promise<Diagnostic[]> {
    const current = session();
    if (!current || !codec.definition.review) return [];
    const diagnostics: Diagnostic[] = [];
    await codec.definition.review(change, {
      session: current,
      log,
      report: (fault) => diagnostics.push(diagnosticOf({ path: [], ...fault })),
    });
    return diagnostics;
  }
}

function changeOf<Client>(
  codec: ResourceCodec<Client>,
  prior: ObjectValue | null,
  planned: ObjectValue,
  replace: readonly unknown[],
  replaced: Readonly<Record<string, unknown>> | undefined,
): Change<any, any> {
  const wanted = toPlain(planned) as Record<string, unknown>;
  if (!prior) return { action: "create", planned: wanted, replaced };
  const action = replace.length > 0 ? "replace" : equal(prior, planned, codec.type) ? "keep" : "update";
  return { action, prior: codec.known(prior), planned: wanted };
}

/** What was planned, with what is now known besides; nothing stays unknown. */
export function join(
  codec: Codec<Defined>,
  planned: ObjectValue,
  computed: { readonly [name: string]: unknown },
): Value {
  const added = codec.fromPlain(computed) as ObjectValue;
  return Object.fromEntries(
    codec.attributes.map(({ name }) => {
      const known = planned[name] === unknown ? null : (planned[name] ?? null);
      return [name, name in computed ? (added[name] ?? null) : known];
    }),
  );
}
