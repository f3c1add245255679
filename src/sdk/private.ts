/** What we keep beside a state or a plan: bytes to Terraform, which hands them back. */
export interface Private {
  readonly memory: Record<string, unknown>;
  /** In a plan alone: the configuration of the object that a destroyed one makes way for. */
  readonly successor?: Readonly<Record<string, unknown>>;
  /** In a plan alone: the object that a new one takes the place of; Terraform hands it to the plan of the new one. */
  readonly replaced?: Readonly<Record<string, unknown>>;
}

export function openPrivate(bytes: Uint8Array | undefined): Private {
  if (!bytes?.length) return { memory: {} };
  return JSON.parse(Buffer.from(bytes).toString()) as Private;
}

export function sealPrivate({ memory, successor, replaced }: Private): Uint8Array {
  return Buffer.from(JSON.stringify({ memory, successor, replaced }));
}
