// A moment that one part of a test awaits and another part triggers.

export interface Gate {
  open(): void;
  opened: Promise<void>;
}

export function gate(): Gate {
  const { promise, resolve } = withResolvers();
  return { open: resolve, opened: promise };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  const parts = {} as { promise: Promise<void>; resolve: () => void };
  parts.promise = new Promise((resolve) => (parts.resolve = resolve));
  return parts;
}
