package dev.millrace.handler.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.handler.TestJob;
import dev.millrace.tls.PublicAddress;
import dev.millrace.worker.JobException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.impl.InMemoryDnsResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {
    private final LocalServer server = new LocalServer().on("/", 200, "text/plain", "secret");
    private final Names names = new Names();
    private final HttpHandler guarded = new HttpHandler(HttpHandlerOptions.PUBLIC_ONLY, names);
    private final HttpHandler open = new HttpHandler(new HttpHandlerOptions(true), names);

    @AfterEach
    void stop() {
        guarded.close();
        open.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "127.0.0.1",
                "127.8.9.1",
                "127.1",
                "2130706433",
                "0.0.0.0",
                "[::1]",
                "[::ffff:127.0.0.1]",
                "[::]",
                "10.1.2.3",
                "169.254.169.254"
            })
    void refusesHostsThatArePrivateHoweverTheyAreWritten(String host) {
        JobException failure = failure(guarded, "{'url': 'http://%s:%d/'}", host, server.port());

        assertThat(failure.name()).isIn("AddressNotAllowed", "InputError");
        assertThat(failure.isRetryable()).isFalse();
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void saysWhereTheHostIsAndWhoCanAllowIt() {
        names.put("db.internal", "10.0.0.7");

        assertThat(failure(guarded, "{'url': 'http://db.internal/x?key=1'}"))
                .hasMessage("The host of http://db.internal/x is at 10.0.0.7, which is not a public address. "
                        + "The operator of the worker can allow such addresses with --http-allow-private.");
    }

    @Test
    void connectsToTheVeryAddressThatItHasLookedAt() {
        // 192.0.2.0/24 is not public, so any lookup but the first would be rejected, and a second answer would lead to
        // this machine.
        names.put("rebinding.example", "93.184.216.34");
        names.put("rebinding.example", "127.0.0.1");

        JobException failure =
                failure(guarded, "{'url': 'http://rebinding.example:%d/', 'timeout': '300ms'}", server.port());

        assertThat(failure.name()).isIn("HttpTimeout", "HttpConnectionError");
        assertThat(names.asked).containsExactly("rebinding.example");
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void refusesANameThatHasMovedHomeByTheNextRequest() {
        names.put("moving.example", "127.0.0.1");

        assertThat(failure(guarded, "{'url': 'http://moving.example:%d/'}", server.port())
                        .name())
                .isEqualTo("AddressNotAllowed");
    }

    @Test
    void looksAtTheAddressBehindARedirect() throws Exception {
        // The unrestricted handler allows the first hop; the test is about the second client's guard.
        server.redirect("/away", 302, "http://metadata.example/latest");
        names.put("metadata.example", "169.254.169.254");
        GuardedResolver strict = new GuardedResolver(names, HttpHandlerOptions.PUBLIC_ONLY.addressRule());
        DnsResolver guard = new InMemoryDnsResolver() {
            @Override
            public InetAddress[] resolve(String host) throws UnknownHostException {
                return host.equals("localhost") ? names.resolve(host) : strict.resolve(host);
            }
        };
        try (HttpHandler oneHop = new HttpHandler(new HttpHandlerOptions(true), guard)) {
            JobException failure = failure(oneHop, "{'url': '%s'}", server.url("/away"));

            assertThat(failure.name()).isEqualTo("AddressNotAllowed");
            assertThat(failure).hasMessageContaining("169.254.169.254");
        }
    }

    @Test
    void followsNoRedirectToAnotherKindOfUrl() {
        server.redirect("/file", 302, "file:///etc/passwd");

        assertThat(failure(open, "{'url': '%s'}", server.url("/file")).name()).isEqualTo("BadRedirect");
    }

    @Test
    void aRequestCanGiveUpWhatTheWorkerAllows() throws Exception {
        assertThat(open.handle(TestJob.of("{'url': '%s'}", server.url("/")))
                        .path("status")
                        .intValue())
                .isEqualTo(200);
        assertThat(failure(open, "{'url': '%s', 'allow_private': false}", server.url("/"))
                        .name())
                .isEqualTo("AddressNotAllowed");
    }

    @Test
    void aRequestCannotTakeWhatTheWorkerDoesNotAllow() {
        JobException failure = failure(guarded, "{'url': '%s', 'allow_private': true}", server.url("/"));

        assertThat(failure.name()).isEqualTo("InputError");
        assertThat(failure).hasMessageContaining("--http-allow-private");
        assertThat(server.seen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.192",
                "192.168.1.1",
                "198.18.0.1",
                "198.19.255.255",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "168.63.129.16",
                "100.100.100.200",
                "::",
                "::1",
                "::127.0.0.1",
                "::ffff:10.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b:1::1",
                "2002:7f00:1::",
                "2001:0:1::1",
                "2001:db8::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "fec0::1",
                "ff02::1",
                "100::1"
            })
    void knowsAddressesThatAreNotPublic(String address) throws UnknownHostException {
        assertThat(PublicAddress.test(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.1.1.1",
                "128.0.0.1", "169.253.0.1", "172.15.0.1", "172.32.0.1", "192.167.1.1", "198.17.0.1", "198.20.0.1",
                "223.255.255.255", "2606:4700:4700::1111", "64:ff9b::808:808", "2002:808:808::", "2a00::1"
            })
    void knowsPublicAddresses(String address) throws UnknownHostException {
        assertThat(PublicAddress.test(InetAddress.getByName(address))).isTrue();
    }

    private static JobException failure(HttpHandler handler, String input, Object... arguments) {
        JobException failure =
                catchThrowableOfType(JobException.class, () -> handler.handle(TestJob.of(input, arguments)));
        assertThat(failure).isNotNull();
        return failure;
    }

    /**
     * Resolver with names of the test: each answer is given once, the last one repeatedly. All other names are the
     * system's.
     */
    private static final class Names implements DnsResolver {
        private final Map<String, Deque<String>> answers = new HashMap<>();
        private final List<String> asked = new java.util.concurrent.CopyOnWriteArrayList<>();

        void put(String host, String address) {
            answers.computeIfAbsent(host, _ -> new ArrayDeque<>()).add(address);
        }

        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            Deque<String> left = answers.get(host);
            if (left == null) {
                return InetAddress.getAllByName(host);
            }
            asked.add(host);
            String answer = left.size() > 1 ? left.removeFirst() : left.getFirst();
            return new InetAddress[] {InetAddress.getByName(answer)};
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }
}
