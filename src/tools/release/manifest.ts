/** The manifest that the registry reads before it offers the provider. */

export const manifest = `${JSON.stringify({ version: 1, metadata: { protocol_versions: ["6.0"] } }, undefined, 2)}\n`;
