/** Plans objects with the provider in process, without Terraform, against an emulated tenant. */
import { createVirtualClock } from "../../sdk/support/clock";
import type { Emulator, EmulatorOptions } from "../../../../src/emulator/emulator";
import { Diagnostic_Severity, type Diagnostic } from "../../../../src/provider/plugin/protocol/tfplugin6";
import { fingerprintOf } from "../../../../src/provider/resources/network-acl-key/definition";
import { tenantProvider } from "../../../../src/provider/resources/provider";
import { createCodec } from "../../../../src/provider/sdk/codec";
import type { Clock } from "../../../../src/provider/sdk/gathering";
import type { Phase, RegistryOptions } from "../../../../src/provider/sdk/plan-registry";
import { toPlain } from "../../../../src/provider/sdk/values";
import { handlersOf } from "../../../../src/provider/sdk/handlers";
import { listeningTenant } from "../../../support/tenant";

const { resources } = tenantProvider("0.0.0-test", {});
const codecOf = async (kind: string) => createCodec((await resources[kind]!()).definition);

/** One object of a plan. Without `config` the plan destroys the object; without `prior` the plan creates it. */
export interface Planned {
  /** `network_acl` */
  readonly kind: string;
  readonly config?: object;
  readonly prior?: object;
  /** The place of the object in the list that Terraform plans before this one. */
  readonly dependsOn?: number;
  /** `-replace` names it. */
  readonly isTainted?: boolean;
}

export interface Said {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** The values of one object that Terraform would write into the JSON of the plan. */
export interface PlannedValues {
  readonly before: unknown;
  /** With `unknown` in place of values that are known only after the apply. */
  readonly after: unknown;
  readonly replaced: boolean;
}

export interface Reviewing {
  readonly emulator: Emulator;
  /** Puts an object onto the tenant, whose id has the letter, and returns it as the state has it. */
  put<T extends object>(kind: keyof typeof stored, values: T, letter: string): T & { readonly id: string };
  /** How many timers plans and applies have set to wait for other calls. */
  timers(): number;
  /** Plans one object. */
  plan(kind: string, config: object | undefined, prior?: object): Promise<Said>;
  /** Plans many objects. Reads objects that exist on the tenant first. */
  planAll(objects: readonly Planned[], block?: object, parallelism?: number): Promise<Said>;
  /** Plans many objects, and returns the planned values in the order of the objects. */
  planWithValues(objects: readonly Planned[], block?: object): Promise<Said & { readonly values: PlannedValues[] }>;
  /** Plans many objects, applies them if the plan has no errors, and returns the messages of the apply. */
  applyAll(objects: readonly Planned[], block?: object, parallelism?: number): Promise<Said>;
  close(): Promise<void>;
}

const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
const stored = {
  network_acl: ["acl", 22, "networkAcls"],
  rate_limit_policy: ["rlp", 21, "rateLimitPolicies"],
  network_acl_key: ["key", 22, "networkAclKeys"],
} as const;

/** A wait lasts some turns of the event loop, and a running call prolongs it. */
function countingClock(): { readonly clock: Clock; timers(): number } {
  const { now, after } = createVirtualClock();
  let count = 0;
  const counted: Clock["after"] = (ms, work) => {
    count++;
    return after(ms, work);
  };
  return { clock: { now, after: counted }, timers: () => count };
}

interface Run {
  readonly isApply?: boolean;
  readonly parallelism?: number;
}

/** One after the other, if Terraform makes one call at a time. Otherwise all at once. */
async function inTurn<T>(calls: readonly (() => Promise<T>)[], parallelism: number): Promise<T[]> {
  if (parallelism > 1) return Promise.all(calls.map((call) => call()));
  const results: T[] = [];
  for (const call of calls) results.push(await call());
  return results;
}

/** No other process writes, so a write that waits for others need not wait long. */
const priorityTimeouts = { stepAside: 50, slot: 100, giveUp: 300 };

/** `phase`: by default, Terraform has read an object before. */
export async function openReview(
  options: EmulatorOptions = {},
  { phase = "plan" as Phase | "unknown" } = {},
): Promise<Reviewing> {
  const { clock, timers } = countingClock();
  const registry: RegistryOptions = { clock, ...(phase !== "unknown" && { phase }) };
  const { emulator, env, close } = await listeningTenant(options);
  const stops: (() => void)[] = [];

  async function run(
    objects: readonly Planned[],
    block: object,
    { isApply = false, parallelism = 10 }: Run = {},
    values: PlannedValues[] = [],
  ): Promise<Said> {
    const definition = tenantProvider("0.0.0-test", env, { priorityTimeouts });
    const handlers = handlersOf(definition, { log: () => {}, registry }) as Record<
      string,
      (request: object) => Promise<any>
    >;
    stops.push(() => void handlers.stopProvider!({}));
    const provider = createCodec({ ...(await definition.block()), description: "" });
    const answers: { diagnostics?: Diagnostic[] }[] = [
      await handlers.configureProvider!({
        config: provider.encode(provider.fromPlain(block)),
        terraformVersion: "1.11.4",
      }),
    ];
    const applies: (() => Promise<{ diagnostics?: Diagnostic[] }>)[] = [];
    const planOne = async ({ kind, config, prior, isTainted = false }: Planned, index: number) => {
      const codec = await codecOf(kind);
      const typeName = `tenant_${kind}`;
      let priorState = codec.encode(codec.fromPlain(prior ?? null));
      const nothing = codec.encode(null);
      let priorPrivate: Uint8Array | undefined;
      if (prior && "id" in prior) {
        const read = await handlers.readResource!({ typeName, currentState: priorState });
        answers.push(read);
        priorPrivate = read.private;
        priorState = read.newState;
      }
      const wanted = config ? codec.encode(codec.fromPlain(config)) : nothing;
      const request = { typeName, proposedNewState: wanted, config: wanted };
      const planned = await handlers.planResourceChange!({ ...request, priorState, priorPrivate });
      answers.push(planned);
      const { plannedState, plannedPrivate } = planned;
      const plain = (state: typeof nothing) => toPlain(codec.decode(state)) ?? null;
      const replaced = isTainted || planned.requiresReplace?.length > 0;
      values[index] = { before: plain(priorState), after: plain(plannedState ?? nothing), replaced };
      const change = { typeName, priorState, plannedState, plannedPrivate, config: wanted };
      applies.push(() => handlers.applyResourceChange!(change));
      if (!replaced) return;
      const successor = { ...request, priorState: nothing, priorPrivate: planned.plannedPrivate };
      const next = await handlers.planResourceChange!(successor);
      answers.push(next);
      values[index] = { ...values[index], after: plain(next.plannedState ?? nothing) };
    };
    const calls: Promise<void>[] = [];
    await inTurn(
      objects.map((object, index) => () => {
        const before = object.dependsOn === undefined ? undefined : calls[object.dependsOn];
        return (calls[index] = before ? before.then(() => planOne(object, index)) : planOne(object, index));
      }),
      parallelism,
    );
    const planned = saidIn(answers);
    const isOver = !isApply || planned.errors.length > 0;
    return isOver ? planned : saidIn(await inTurn(applies, parallelism));
  }

  return {
    emulator,
    put(kind, values, letter) {
      const [prefix, length, list] = stored[kind];
      const fingerprint = "value" in values && { fingerprint: fingerprintOf(values.value as string) };
      const object = { ...values, ...fingerprint, id: `${prefix}_${letter.repeat(length)}`, ...times };
      emulator.store[list].put(object as never);
      return object;
    },
    timers,
    planAll: (objects, block = {}, parallelism = 10) => run(objects, block, { parallelism }),
    async planWithValues(objects, block = {}) {
      const values: PlannedValues[] = [];
      return { ...(await run(objects, block, {}, values)), values };
    },
    applyAll: (objects, block = {}, parallelism = 10) => run(objects, block, { isApply: true, parallelism }),
    plan: (kind, config, prior) => run([{ kind, config, prior }], {}),
    async close() {
      for (const stop of stops) stop();
      await close();
    },
  };
}

function saidIn(answers: readonly { diagnostics?: Diagnostic[] }[]): Said {
  const said = answers.flatMap(({ diagnostics = [] }) => diagnostics);
  const isError = ({ severity }: Diagnostic) => severity === Diagnostic_Severity.ERROR;
  return { errors: said.filter(isError), warnings: said.filter((each) => !isError(each)) };
}

export function memberIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `auth0|${String(index).padStart(4, "0")}`);
}
