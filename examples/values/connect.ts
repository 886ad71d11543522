// Keeps a token as a secret, and what it belongs to as a resource.
import { current } from "millrace";

type Service = { url: string; account: string };

export async function main(account: string) {
  const job = current();
  // A service would issue the token. From here on, it is masked in all that the script prints and returns.
  await job.secrets.set("examples/token", `token of ${account}`);
  await job.resources.set("examples/service", { url: "https://service.example", account });

  const service = await job.resources.get<Service>("examples/service");
  const token = await job.secrets.get("examples/token");
  await job.state.set({ last_account: service.account });
  return { url: service.url, token, length: token.length, state: await job.state.get() };
}
