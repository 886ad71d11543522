package dev.millrace.worker.internal.packages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program reaches through the proxy, with a server on the loopback device in place of the worker's network. */
class RegistryProxyTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
        server.createContext("/", exchange -> {
            byte[] answer = (exchange.getRequestURI() + " "
                            + exchange.getRequestHeaders().containsKey("Proxy-Authorization"))
                    .getBytes(UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String target() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private static PackageHosts listed(String... hosts) {
        return PackageHosts.of(List.of(hosts), Map.of());
    }

    private static String ask(RegistryProxy proxy, String request, boolean proof) throws IOException {
        URI address = URI.create(proxy.in(Map.of()).getOrDefault("HTTPS_PROXY", ""));
        String authorization = "Proxy-Authorization: Basic "
                + Base64.getEncoder().encodeToString(address.getUserInfo().getBytes(UTF_8)) + "\r\n";
        try (Socket socket = new Socket(LOOPBACK, address.getPort())) {
            socket.getOutputStream()
                    .write((request + "\r\nHost: x\r\n" + (proof ? authorization : "") + "\r\n").getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void forwardsToHostsThatTheOperatorHasListed() throws IOException {
        try (RegistryProxy proxy = RegistryProxy.open(listed(target()))) {
            assertThat(ask(proxy, "GET http://" + target() + "/simple/?q=1 HTTP/1.1", true))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("/simple/?q=1 false");
            assertThat(proxy.refusals()).isEmpty();
        }
    }

    @Test
    void refusesAddressesOfTheWorkersNetwork() throws IOException {
        try (RegistryProxy proxy = RegistryProxy.open(listed())) {
            for (String request : List.of(
                    "GET http://" + target() + "/ HTTP/1.1",
                    "CONNECT " + target() + " HTTP/1.1",
                    "CONNECT 127.0.0.1:443 HTTP/1.1",
                    "CONNECT [::1]:443 HTTP/1.1",
                    "CONNECT localhost:443 HTTP/1.1",
                    "CONNECT 169.254.169.254:443 HTTP/1.1",
                    "GET http://10.0.0.1/ HTTP/1.1")) {
                assertThat(ask(proxy, request, true)).as(request).startsWith("HTTP/1.1 403 ");
            }
            assertThat(proxy.refusals()).isNotEmpty().allMatch(reason -> reason.contains(PackageHosts.SETTING));
        }
    }

    @Test
    void servesNobodyElse() throws IOException {
        try (RegistryProxy proxy = RegistryProxy.open(listed(target()))) {
            assertThat(ask(proxy, "GET http://" + target() + "/ HTTP/1.1", false))
                    .startsWith("HTTP/1.1 407 ");
        }
    }

    @Test
    void leavesTheProxyOfTheOperatorAlone() throws IOException {
        Map<String, String> own = Map.of("https_proxy", "http://proxy.company.example:3128");
        try (RegistryProxy proxy = RegistryProxy.open(listed())) {
            assertThat(proxy.in(own)).isEqualTo(own);
        }
    }

    @Test
    void trustsTheRegistriesOfConfigurationFiles(@TempDir Path home) throws IOException {
        Files.writeString(home.resolve(".npmrc"), "registry=http://npm.local:4873/\n//npm.local:4873/:_authToken=x\n");
        Files.writeString(
                Files.createDirectories(home.resolve(".config/uv")).resolve("uv.toml"),
                "[[index]]\nurl = \"https://pypi.local/simple\"\n");

        PackageHosts hosts = Installers.of(Map.of("HOME", home.toString()), List.of(), List.of(), InstallerSandbox.NONE)
                .hosts();

        assertThat(hosts.admits("npm.local", 4873, LOOPBACK)).isTrue();
        assertThat(hosts.admits("pypi.local", 443, LOOPBACK)).isTrue();
        assertThat(hosts.lists("pypi.local", 443)).as("as an index of a script").isFalse();
        assertThat(hosts.admits("other.local", 443, LOOPBACK)).isFalse();
    }

    @Test
    void admitsPublicAddressesByHttpsOnly() throws IOException {
        InetAddress open = InetAddress.getByName("8.8.8.8");

        assertThat(listed().admits("example.com", 443, open)).isTrue();
        assertThat(listed().admits("example.com", 80, open)).isFalse();
        assertThat(listed().admits("example.com", 443, LOOPBACK)).isFalse();
        assertThat(listed("example.com").admits("EXAMPLE.com", 443, LOOPBACK)).isTrue();
        assertThat(listed().admits("pypi.org", 443, LOOPBACK)).isTrue();
        assertThat(PackageHosts.of(List.of(), Map.of("UV_DEFAULT_INDEX", "http://me:pw@mirror:3141/simple"))
                        .admits("mirror", 3141, LOOPBACK))
                .isTrue();
    }
}
