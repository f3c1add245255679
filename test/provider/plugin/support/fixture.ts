/** A whole provider in one file: a note that exists only in Terraform's state. */
import { Decoder, encode, ExtData } from "@msgpack/msgpack";
import type { ProviderHandlers } from "../../../../src/provider/plugin/handlers";
import type { DynamicValue } from "../../../../src/provider/plugin/protocol/tfplugin6";

interface Note {
  text: string;
  id: string | null | ExtData;
}

const unknown = new ExtData(0, Buffer.of(0));
const jsonType = (type: string) => Buffer.from(JSON.stringify(type));
const toWire = (note: Note | null): DynamicValue => ({ msgpack: encode(note) });
const fromWire = (value: DynamicValue | undefined) => new Decoder().decode(value!.msgpack!) as Note | null;

const serverCapabilities = { planDestroy: true, getProviderSchemaOptional: true };

export const fixture: ProviderHandlers = {
  getMetadata: async () => ({ serverCapabilities, resources: [{ typeName: "fixture_note" }] }),
  getProviderSchema: async () => ({
    serverCapabilities,
    provider: { block: {} },
    resourceSchemas: {
      fixture_note: {
        block: {
          attributes: [
            { name: "text", type: jsonType("string"), required: true },
            { name: "id", type: jsonType("string"), computed: true },
          ],
        },
      },
    },
  }),
  validateProviderConfig: async () => ({}),
  validateResourceConfig: async () => ({}),
  configureProvider: async () => ({}),
  upgradeResourceState: async (request) => ({
    upgradedState: { msgpack: encode(JSON.parse(Buffer.from(request.rawState!.json).toString())) },
  }),
  readResource: async (request) => ({ newState: request.currentState }),
  planResourceChange: async (request) => {
    const proposed = fromWire(request.proposedNewState);
    return { plannedState: toWire(proposed && { ...proposed, id: proposed.id ?? unknown }) };
  },
  applyResourceChange: async (request) => {
    const planned = fromWire(request.plannedState);
    if (planned?.text === "panic") throwLater("the fixture was told to");
    if (planned?.text === "throw") throw new Error("a handler gave up");
    return { newState: toWire(planned && { ...planned, id: "note-1" }) };
  },
  stopProvider: async () => ({}),
};

function throwLater(message: string): void {
  process.nextTick(() => {
    throw new Error(message);
  });
}
