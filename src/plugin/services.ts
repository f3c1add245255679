/** The services of a plugin process, ready for a gRPC server: the provider's own and the four go-plugin asks for. */
import { status } from "@grpc/grpc-js";
import type {
  sendUnaryData,
  Server,
  ServerDuplexStream,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { once } from "node:events";
import type { ProviderHandlers } from "./handlers";
import type { Log } from "./log";
import { GRPCBrokerDefinition, GRPCControllerDefinition, GRPCStdioDefinition } from "./protocol/goplugin";
import { HealthCheckResponse_ServingStatus, HealthDefinition } from "./protocol/health";
import { ProviderDefinition } from "./protocol/tfplugin6";

interface Codec {
  encode(message: never): { finish(): Uint8Array };
  decode(bytes: Uint8Array): unknown;
}

interface Definition {
  fullName: string;
  methods: Record<
    string,
    { name: string; requestType: Codec; requestStream: boolean; responseType: Codec; responseStream: boolean }
  >;
}

/** A generated definition in the form grpc-js takes, for servers and clients alike. */
export function serviceOf({ fullName, methods }: Definition): ServiceDefinition {
  const entries = Object.entries(methods).map(([key, method]) => [
    key,
    {
      path: `/${fullName}/${method.name}`,
      requestStream: method.requestStream,
      responseStream: method.responseStream,
      requestSerialize: serializer(method.requestType),
      requestDeserialize: (bytes: Buffer) => method.requestType.decode(bytes),
      responseSerialize: serializer(method.responseType),
      responseDeserialize: (bytes: Buffer) => method.responseType.decode(bytes),
    },
  ]);
  return Object.fromEntries(entries);
}

function serializer(codec: Codec): (message: unknown) => Buffer {
  return (message) => {
    const bytes = message instanceof Uint8Array ? message : codec.encode(message as never).finish();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
}

export function addProvider(server: Server, handlers: ProviderHandlers, log: Log): void {
  const implementation: UntypedServiceImplementation = {};
  for (const [name, handler] of Object.entries(handlers)) {
    implementation[name] = ProviderDefinition.methods[name as keyof ProviderHandlers].responseStream
      ? stream(name, handler as (request: unknown) => AsyncIterable<unknown>, log)
      : unary(name, handler as (request: unknown) => Promise<unknown>, log);
  }
  server.addService(serviceOf(ProviderDefinition), implementation);
}

/** `shutDown` is called when Terraform says that it is done with the process; it asks for no answer if that is the end. */
export function addHousekeeping(server: Server, shutDown: () => void, log: Log): void {
  const serving = { status: HealthCheckResponse_ServingStatus.SERVING };
  server.addService(serviceOf(HealthDefinition), { check: unary("check", async () => serving, log) });
  server.addService(serviceOf(GRPCControllerDefinition), {
    shutdown(_call: unknown, callback: sendUnaryData<object>) {
      shutDown();
      callback(null, {});
    },
  });
  server.addService(serviceOf(GRPCStdioDefinition), { streamStdio: heldOpen });
  server.addService(serviceOf(GRPCBrokerDefinition), {
    startStream(call: ServerDuplexStream<unknown, unknown>) {
      call.on("end", () => call.end());
      call.resume();
    },
  });
}

function heldOpen(): void {}

function unary(name: string, handler: (request: unknown) => Promise<unknown>, log: Log) {
  return async (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => {
    try {
      callback(null, await handler(call.request));
    } catch (error) {
      callback(failure(name, error, log));
    }
  };
}

function stream(name: string, handler: (request: unknown) => AsyncIterable<unknown>, log: Log) {
  return async (call: ServerWritableStream<unknown, unknown>) => {
    const cancelled = new AbortController();
    call.once("cancelled", () => cancelled.abort());
    try {
      for await (const answer of handler(call.request)) {
        if (call.cancelled) return;
        if (!call.write(answer)) await once(call, "drain", { signal: cancelled.signal });
      }
      call.end();
    } catch (error) {
      if (!call.cancelled) call.emit("error", failure(name, error, log));
    }
  };
}

function failure(name: string, error: unknown, log: Log) {
  log("error", `${name} failed`, { error });
  return { code: status.UNKNOWN, details: error instanceof Error ? error.message : String(error) };
}
