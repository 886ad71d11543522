package dev.millrace.cli.training;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.cli.Cli;
import dev.millrace.cli.output.Terminal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Executes some client commands, so that the launcher can record the classes that they load in an archive. A small
 * server gives the same answer to all requests, which is enough for that.
 */
final class ClientTraining {
    private ClientTraining() {}

    /**
     * Executes the commands.
     *
     * @param args the folder with a script to run, a flow with its test, and the answer to all requests
     */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        HttpServer gateway = gateway(Files.readAllBytes(folder.resolve("answer.json")));
        gateway.start();
        try {
            String server = "http://localhost:" + gateway.getAddress().getPort();
            // Contexts of its own, since those of the user have nothing to do with it.
            Path settings = Files.createTempDirectory("millrace-training-");
            Cli cli = new Cli(Terminal.system().with(System.in, Map.of("XDG_CONFIG_HOME", settings.toString())));
            cli.execute("contexts", "set", "training", "--server", server);
            cli.execute("version", "--output", "json");
            cli.execute("--help");
            cli.execute("run", folder.resolve("fibo.py").toString(), "--input", "n=5");
            cli.execute("runs", "list");
            cli.execute("whoami");
            cli.execute("test", folder.toString());
        } finally {
            gateway.stop(0);
        }
    }

    private static HttpServer gateway(byte[] answer) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        return server;
    }
}
