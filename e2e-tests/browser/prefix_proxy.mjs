// A proxy that serves a gateway below a path of another site, as `proxy_pass` of nginx does: it removes the path, passes on
// everything else, and streams.
import { createServer, request } from "node:http";

/**
 * Starts a proxy.
 *
 * @param {string} gateway address of the gateway
 * @param {string} prefix path without a slash at its end
 * @param {(path: string) => void} onStray called for each request that is not below the path
 * @returns the address below which the gateway is, and what closes the proxy
 */
export async function prefixProxy(gateway, prefix, onStray) {
  const { hostname, port } = new URL(gateway);
  const server = createServer((asked, answer) => {
    if (!asked.url.startsWith(`${prefix}/`)) {
      onStray(asked.url);
      answer.writeHead(404).end();
      return;
    }
    const passed = request(
      { hostname, port, method: asked.method, path: asked.url.slice(prefix.length), headers: asked.headers },
      (answered) => {
        answer.writeHead(answered.statusCode, answered.rawHeaders);
        answered.pipe(answer);
      },
    );
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, "localhost", resolve));
  return {
    address: `http://localhost:${server.address().port}${prefix}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
