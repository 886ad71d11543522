package dev.millrace.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Serves a {@link PackageIndex} as private indexes of Python packages are: by HTTPS, to those who know a password. */
public final class PackageIndexServer implements AutoCloseable {
    /** Path of the index (PEP 503). */
    public static final String PATH = "/simple/";

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final Path folder;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /**
     * @param certificate in PEM, as the key
     * @param user who may read the index
     */
    public PackageIndexServer(PackageIndex index, Path certificate, Path key, String user, String password)
            throws IOException {
        this.folder = index.folder();
        this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(PemContext.of(certificate, key)));
        server.setExecutor(threads);
        server.createContext(PATH, this::answer).setAuthenticator(new BasicAuthenticator("packages") {
            @Override
            public boolean checkCredentials(String givenUser, String givenPassword) {
                return givenUser.equals(user) && givenPassword.equals(password);
            }
        });
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] words =
                    exchange.getRequestURI().getPath().substring(PATH.length()).split("/", -1);
            List<String> wheels = wheels(words[0]);
            byte[] content = new byte[0];
            if (words.length == 2 && words[1].isEmpty()) {
                content = wheels.stream()
                        .map(wheel -> "<a href=\"" + wheel + "\">" + wheel + "</a>")
                        .collect(Collectors.joining("\n"))
                        .getBytes(UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "text/html");
            } else if (words.length == 2 && wheels.contains(words[1])) {
                content = Files.readAllBytes(folder.resolve(words[1]));
            }
            exchange.sendResponseHeaders(
                    content.length == 0 ? NOT_FOUND : OK, content.length == 0 ? -1 : content.length);
            exchange.getResponseBody().write(content);
        }
    }

    private List<String> wheels(String name) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.startsWith(name + "-") && file.endsWith(".whl"))
                    .toList();
        }
    }
}
