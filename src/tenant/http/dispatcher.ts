/** What requests are dispatched to: undici's pool of connections to one origin, or its agent for a proxy. */
import type { Dispatcher, Pool } from "undici";
import { createConnector, type ConnectorOptions } from "./connector";

export interface DispatcherOptions extends Omit<ConnectorOptions, "wanted"> {
  readonly origin: string;
  /** URL of the proxy to go through. */
  readonly proxy?: string;
  /** Milliseconds for which an unused connection is kept, at most: less if the server keeps it for less. */
  readonly idle: number;
}

/** Each request has a connection to itself while it is under way. */
export interface Requests {
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Closes all connections, those that are being opened included. */
  destroy(): void;
}

export async function openDispatcher({ origin, proxy, idle, ...options }: DispatcherOptions): Promise<Requests> {
  const { default: Pool } = await import("undici/lib/dispatcher/pool.js");
  const target = new URL(origin);
  const encrypted = [origin, proxy].some((url) => url?.startsWith("https:"));
  let waiting = 0;
  // After a request that was given up undici opens its connection again, even if nothing is left to send.
  const connector = await createConnector({ ...options, wanted: () => waiting > 0 }, encrypted);
  const settings = {
    // The transport has timers of its own: those of undici are exact to a second.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idle,
    keepAliveMaxTimeout: idle,
    // Of the time that a server names, what a request may need to arrive.
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
