/** A client that makes the few calls of Terraform that the tests need. */
import {
  credentials,
  makeGenericClientConstructor,
  type ChannelCredentials,
  type Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ServiceDefinition,
  type ServiceError,
} from "@grpc/grpc-js";
import tls from "node:tls";
import type { Certificate } from "../../../../src/provider/plugin/certificate";
import { ProviderDefinition } from "../../../../src/provider/plugin/protocol/tfplugin6";

interface Codec {
  encode(message: unknown): { finish(): Uint8Array };
  decode(bytes: Uint8Array): unknown;
}

interface Definition {
  fullName: string;
  methods: Record<
    string,
    { name: string; requestType: Codec; requestStream: boolean; responseType: Codec; responseStream: boolean }
  >;
}

/** The message without fields. */
const empty: Codec = { encode: () => ({ finish: () => new Uint8Array() }), decode: () => ({}) };
/** The first field is the status, and 1 is SERVING. */
const health: Codec = { ...empty, decode: ([field, status]) => ({ status: field === 0x08 ? status : undefined }) };

/** A service of go-plugin with one method. */
function pluginService(fullName: string, name: string, responseType: Codec, ...streams: ("request" | "response")[]) {
  const [requestStream, responseStream] = [streams.includes("request"), streams.includes("response")];
  const key = name.replace(/^./, (initial) => initial.toLowerCase());
  return { fullName, methods: { [key]: { name, requestType: empty, requestStream, responseType, responseStream } } };
}

const definitions = {
  provider: ProviderDefinition,
  health: pluginService("grpc.health.v1.Health", "Check", health),
  controller: pluginService("plugin.GRPCController", "Shutdown", empty),
  stdio: pluginService("plugin.GRPCStdio", "StreamStdio", empty, "response"),
  broker: pluginService("plugin.GRPCBroker", "StartStream", empty, "request", "response"),
};

type Room = keyof typeof definitions;
type Unary = (request: object, callback: (error: ServiceError | null, answer: unknown) => void) => void;

export interface PluginClient {
  /** Makes a call with one response. Rejects with the gRPC error. */
  ask<Answer = unknown>(service: Room, method: string, request?: object): Promise<Answer>;
  /** Makes a call with a stream of responses. */
  list(method: string, request?: object): ClientReadableStream<unknown>;
  stdio(): ClientReadableStream<unknown>;
  broker(): ClientDuplexStream<unknown, unknown>;
  close(): void;
}

export interface Security {
  /** The certificate that the server must present, as DER. */
  server: Buffer;
  own?: Certificate;
}

/** A generated definition in the form of grpc-js. */
function serviceOf({ fullName, methods }: Definition): ServiceDefinition {
  const entries = Object.entries(methods).map(([key, method]) => [
    key,
    {
      path: `/${fullName}/${method.name}`,
      requestStream: method.requestStream,
      responseStream: method.responseStream,
      requestSerialize: (message: unknown) => Buffer.from(method.requestType.encode(message).finish()),
      requestDeserialize: (bytes: Buffer) => method.requestType.decode(bytes),
      responseSerialize: (message: unknown) => Buffer.from(method.responseType.encode(message).finish()),
      responseDeserialize: (bytes: Buffer) => method.responseType.decode(bytes),
    },
  ]);
  return Object.fromEntries(entries);
}

/** `target` in the notation of gRPC: `unix:/path` or `host:port`. */
export function connect(target: string, security?: Security): PluginClient {
  const limits = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
  const options = { ...limits, "grpc.ssl_target_name_override": "localhost", "grpc.use_local_subchannel_pool": 1 };
  const clients = new Map<Room, Client>();
  const clientOf = (room: Room): Client => {
    const known = clients.get(room);
    if (known !== undefined) return known;
    const Constructor = makeGenericClientConstructor(serviceOf(definitions[room]), room);
    const first = [...clients.values()][0];
    const shared = first === undefined ? options : { ...options, channelOverride: first.getChannel() };
    const client = new Constructor(target, credentialsFor(security), shared);
    clients.set(room, client);
    return client;
  };
  const methodOf = (room: Room, method: string) => {
    const client = clientOf(room);
    return (client as unknown as Record<string, (...args: unknown[]) => unknown>)[method]!.bind(client);
  };
  return {
    ask: (room, method, request = {}) =>
      new Promise((resolve, reject) => {
        const call = methodOf(room, method) as Unary;
        call(request, (error, answer) => (error ? reject(error) : resolve(answer as never)));
      }),
    list: (method, request = {}) => methodOf("provider", method)(request) as ClientReadableStream<unknown>,
    stdio: () => methodOf("stdio", "streamStdio")({}) as ClientReadableStream<unknown>,
    broker: () => methodOf("broker", "startStream")() as ClientDuplexStream<unknown, unknown>,
    close: () => clients.forEach((client) => client.close()),
  };
}

function credentialsFor(security: Security | undefined): ChannelCredentials {
  if (security === undefined) return credentials.createInsecure();
  const { server, own } = security;
  const pem = `-----BEGIN CERTIFICATE-----\n${server.toString("base64")}\n-----END CERTIFICATE-----\n`;
  const identity = own && { cert: own.pem, key: own.key };
  return credentials.createFromSecureContext(tls.createSecureContext({ ca: pem, ...identity }));
}
