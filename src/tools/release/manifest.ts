/** What the registry has to know of the provider before it runs it. */

export const manifest = `${JSON.stringify({ version: 1, metadata: { protocol_versions: ["6.0"] } }, undefined, 2)}\n`;
