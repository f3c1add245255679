/** Dispatches requests over undici's pool of connections to one origin, or over its agent for a proxy. */
import type { Dispatcher, Pool } from "undici";
import { createConnector, type ConnectorOptions } from "./connector";

export interface DispatcherOptions extends Omit<ConnectorOptions, "wanted"> {
  readonly origin: string;
  /** URL of the proxy to use. */
  readonly proxy?: string;
  /** Milliseconds after which an unused connection is closed, or earlier if the server says so. */
  readonly idle: number;
}

/** Each request uses a connection alone until it ends. */
export interface Requests {
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Closes all connections, including those that are being opened. */
  destroy(): void;
}

export async function openDispatcher({ origin, proxy, idle, ...options }: DispatcherOptions): Promise<Requests> {
  const { default: Pool } = await import("undici/lib/dispatcher/pool.js");
  const target = new URL(origin);
  const encrypted = [origin, proxy].some((url) => url?.startsWith("https:"));
  let waiting = 0;
  // undici reopens the connection of a request that was given up, even if nothing is left to send.
  const connector = await createConnector({ ...options, wanted: () => waiting > 0 }, encrypted);
  const settings = {
    // The transport has its own timers, because those of undici are exact only to a second.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idle,
    keepAliveMaxTimeout: idle,
    // Subtracted from the time that a server names, because a request needs this long to arrive.
    keepAliveTimeoutThreshold: 1_000,
  } satisfies Pool.Options;
  const dispatcher = proxy
    ? (await import("./tunnel.js")).throughProxy({ target, proxy: new URL(proxy), connector, settings })
    : new Pool(target, {
        ...settings,
        connect: (_, done) => connector.attempt((signal) => connector.reach(target, signal), done),
      });
  return {
    dispatch(request, handler) {
      waiting++;
      let over = () => {
        waiting--;
        over = () => {};
      };
      dispatcher.dispatch(
        { ...request, origin },
        {
          ...handler,
          onRequestStart: (...start) => (over(), handler.onRequestStart?.(...start)),
          onResponseError: (...error) => (over(), handler.onResponseError?.(...error)),
        },
      );
    },
    destroy() {
      connector.destroy();
      void dispatcher.destroy();
    },
  };
}
