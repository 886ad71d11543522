package dev.millrace.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;

/** A registry of npm packages on this machine, which serves files for imports from an address, too. */
public final class NpmRegistry implements AutoCloseable {
    /** Setting of workers that names {@link #address}. */
    public static final String SETTING = "npm.config.registry";

    private static final int TAR_BLOCK = 512;
    private static final int TAR_CHECKSUM_PLACE = 148;
    private static final int TAR_TYPE_PLACE = 156;
    private static final int NOT_FOUND = 404;
    private static final int UNAUTHORIZED = 401;
    private static final int OK = 200;

    private final String address;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final Map<String, Map<String, String>> versions = new TreeMap<>();
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private volatile String token = "";

    public NpmRegistry() throws IOException {
        this("http://127.0.0.1:%d/", HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    /** A registry with a certificate for {@code localhost}; both files are in PEM. */
    public NpmRegistry(Path certificate, Path key) throws IOException {
        this("https://localhost:%d/", secured(PemContext.of(certificate, key)));
    }

    /**
     * A registry behind a proxy; both files are in PEM.
     *
     * @param host name under which clients reach it, at port 443
     */
    public NpmRegistry(String host, Path certificate, Path key) throws IOException {
        this("https://" + host + "/", secured(PemContext.of(certificate, key)));
    }

    private NpmRegistry(String address, HttpServer server) {
        this.address = address.formatted(server.getAddress().getPort());
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private static HttpServer secured(SSLContext tls) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        return server;
    }

    /** Address of the registry, with a slash at its end. */
    public String address() {
        return address;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Refuses requests without this token from now on. */
    public void require(String value) {
        token = value;
    }

    /** Publishes a version of a package that has one CommonJS module. */
    public synchronized void publish(String name, String version, String source) {
        byte[] archive = archive(Map.of(
                "package/package.json",
                "{\"name\":\"" + name + "\",\"version\":\"" + version + "\",\"main\":\"index.js\"}",
                "package/index.js",
                source));
        String path = name + "-" + version + ".tgz";
        String description = """
                {"name": "%1$s", "version": "%2$s", "dist": {"tarball": "%3$s", "integrity": "sha512-%4$s"}}
                """.formatted(name, version, address() + path, sha512(archive));
        Map<String, String> all = versions.computeIfAbsent(name, _ -> new TreeMap<>());
        all.put(version, description);
        files.put("/" + path, archive);
        files.put("/" + name, index(name, version, all).getBytes(UTF_8));
    }

    /** Serves a file, such as a module whose path ends with {@code .ts}, in place of the one that was there. */
    public void serve(String path, String source) {
        files.put("/" + path, source.getBytes(UTF_8));
    }

    /** Lets the next request for a path wait; the latch opens when it is there. */
    public CountDownLatch hold(String path) {
        return held.computeIfAbsent("/" + path, _ -> new CountDownLatch(1));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            CountDownLatch arrived = held.remove(path);
            if (arrived != null) {
                arrived.countDown();
                new CountDownLatch(1).await();
            }
            byte[] content = files.get(path);
            boolean allowed = token.isEmpty()
                    || ("Bearer " + token).equals(exchange.getRequestHeaders().getFirst("Authorization"));
            if (content == null || !allowed) {
                exchange.sendResponseHeaders(allowed ? NOT_FOUND : UNAUTHORIZED, -1);
                return;
            }
            exchange.getResponseHeaders()
                    .set("Content-Type", path.endsWith(".ts") ? "application/typescript" : "application/octet-stream");
            exchange.sendResponseHeaders(OK, content.length);
            exchange.getResponseBody().write(content);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static String index(String name, String latest, Map<String, String> all) {
        StringBuilder list = new StringBuilder();
        all.forEach((version, description) -> list.append(list.isEmpty() ? "" : ",")
                .append("\"" + version + "\": ")
                .append(description));
        return "{\"name\": \"" + name + "\", \"dist-tags\": {\"latest\": \"" + latest + "\"}, \"versions\": {" + list
                + "}}";
    }

    /** Files as a compressed tar archive. */
    private static byte[] archive(Map<String, String> files) {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(bytes)) {
            for (Map.Entry<String, String> file : new TreeMap<>(files).entrySet()) {
                byte[] content = file.getValue().getBytes(UTF_8);
                zip.write(header(file.getKey(), content.length));
                zip.write(content);
                zip.write(new byte[Math.floorMod(-content.length, TAR_BLOCK)]);
            }
            zip.write(new byte[2 * TAR_BLOCK]);
        } catch (IOException impossible) {
            throw new AssertionError("memory can be written", impossible);
        }
        return bytes.toByteArray();
    }

    private static byte[] header(String name, int length) {
        byte[] header = new byte[TAR_BLOCK];
        put(header, 0, name);
        put(header, 100, "0000644");
        put(header, 108, "0000000");
        put(header, 116, "0000000");
        put(header, 124, "%011o".formatted(length));
        put(header, 136, "00000000000");
        put(header, TAR_CHECKSUM_PLACE, "        ");
        header[TAR_TYPE_PLACE] = '0';
        put(header, 257, "ustar\00000");
        int sum = 0;
        for (byte one : header) {
            sum += one;
        }
        put(header, TAR_CHECKSUM_PLACE, "%06o\0 ".formatted(sum));
        return header;
    }

    private static void put(byte[] header, int place, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        System.arraycopy(bytes, 0, header, place, bytes.length);
    }

    private static String sha512(byte[] content) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-512").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-512", impossible);
        }
    }
}
