/** Servers on a free port of the loopback interface, for the time of one call. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

/** Serves the files of the folder. */
export function filesOf(folder: string): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url!, "http://any");
    try {
      const content = readFileSync(path.join(folder, pathname));
      response.setHeader("content-type", pathname.endsWith(".json") ? "application/json" : "application/zip");
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  };
}

export async function serving<T>(server: Server, during: (port: number) => Promise<T>): Promise<T> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await during((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
