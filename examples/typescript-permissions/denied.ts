// millrace: allow-net=api.example.com allow-env=TMPDIR

export async function main(host: string): Promise<string[]> {
  return [
    await failure(() => Deno.connect({ hostname: host, port: 80 })),
    await failure(() => Deno.env.get("HOME")),
  ];
}

async function failure(action: () => unknown): Promise<string> {
  try {
    await action();
    return "nothing";
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}
