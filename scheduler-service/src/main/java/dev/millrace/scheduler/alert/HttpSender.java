package dev.millrace.scheduler.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.tls.AddressRule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Sends messages over HTTP. Every connection goes to exactly an address that was checked (ADR 20), redirects are not
 * followed. The body of an answer is read only to keep the connection for the next message: not if it is long or slow. A
 * receiver that sends its answer byte by byte, or one without an end, is left when its time is over. Thread-safe.
 */
final class HttpSender implements AutoCloseable {
    private static final Timeout CONNECT_WAIT_MAX = Timeout.ofSeconds(5);
    private static final Timeout ANSWER_WAIT_MAX = Timeout.ofSeconds(10);
    /** Longest time for an attempt. */
    private static final Duration ATTEMPT_MAX = Duration.ofSeconds(20);
    /** More than alerts of a workspace have under way, so that receivers which do not answer hold up those of others less. */
    private static final int CONNECTIONS_MAX = 1_000;

    private static final int CONNECTIONS_EACH_MAX = 10;
    /** Longest body of an answer that is read. */
    private static final int BODY_BYTES_MAX = 16 << 10;
    /** Longest time for reading the body of an answer. */
    private static final Duration BODY_WAIT_MAX = Duration.ofMillis(500);
    /** Time after which a connection that nothing uses is closed. */
    private static final TimeValue IDLE_MAX = TimeValue.ofSeconds(30);
    /** Time after which a connection is closed, so that changed addresses of receivers count. */
    private static final TimeValue CONNECTION_AGE_MAX = TimeValue.ofMinutes(5);

    private static final int SUCCESS = 200;
    private static final int SUCCESS_END = 300;
    private static final int GONE = 410;
    private static final String LOCALHOST = "localhost";

    private final AddressRule rule;
    private final CloseableHttpClient client;
    private final Duration attemptMax;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("alert-attempts").factory());

    /** @param rule which addresses receivers may have */
    HttpSender(AddressRule rule) {
        this(rule, ATTEMPT_MAX);
    }

    /** @param attemptMax longest time for an attempt */
    HttpSender(AddressRule rule, Duration attemptMax) {
        this.attemptMax = attemptMax;
        this.rule = rule;
        this.client = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setDnsResolver(new Guarded(rule))
                        .setMaxConnTotal(CONNECTIONS_MAX)
                        .setMaxConnPerRoute(CONNECTIONS_EACH_MAX)
                        .setDefaultConnectionConfig(ConnectionConfig.custom()
                                .setConnectTimeout(CONNECT_WAIT_MAX)
                                .setSocketTimeout(ANSWER_WAIT_MAX)
                                .setTimeToLive(CONNECTION_AGE_MAX)
                                // A message is not repeated at once, so it must not go to a connection that has ended.
                                .setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS)
                                .build())
                        .build())
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setConnectionRequestTimeout(CONNECT_WAIT_MAX)
                        .setResponseTimeout(ANSWER_WAIT_MAX)
                        .build())
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .evictIdleConnections(IDLE_MAX)
                .setUserAgent("Millrace")
                .build();
    }

    /**
     * Whether a message to this URL would never be sent, because its host is an address that is not public. Names are not
     * resolved, except those that mean this machine everywhere (RFC 6761): the address of another may change.
     */
    boolean refuses(String url) {
        String host = Objects.requireNonNullElse(URI.create(url).getHost(), "").toLowerCase(Locale.ROOT);
        if (host.equals(LOCALHOST) || host.endsWith("." + LOCALHOST)) {
            return !rule.allows(InetAddress.getLoopbackAddress());
        }
        try {
            return !rule.allows(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException name) {
            return false;
        }
    }

    /** Posts JSON. Messages of failures do not name the address, which may be a secret. */
    Attempt post(String url, String json, Map<String, String> headers) {
        HttpPost request;
        try {
            request = new HttpPost(URI.create(url));
        } catch (IllegalArgumentException wrong) {
            return failed(Optional.empty(), "The address is no URL.", Optional.empty());
        }
        headers.forEach(request::setHeader);
        request.setEntity(new StringEntity(json, ContentType.APPLICATION_JSON.withCharset(UTF_8)));
        AtomicReference<Attempt> answered = new AtomicReference<>();
        var end = watch.schedule(request::cancel, attemptMax.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return client.execute(request, response -> {
                Attempt attempt = attempt(response);
                answered.set(attempt);
                if (response.getEntity() != null && !isRead(response.getEntity(), request)) {
                    // The client would read the body to its end, which the receiver decides.
                    request.cancel();
                }
                return attempt;
            });
        } catch (AddressRule.Refused refused) {
            return failed(
                    Optional.empty(),
                    "The receiver has no public address. An operator can allow it with " + rule.setting() + ".",
                    Optional.empty());
        } catch (UnknownHostException unknown) {
            return failed(Optional.empty(), "The name of the receiver is not known.", Optional.empty());
        } catch (IOException failure) {
            Attempt known = answered.get();
            return known != null
                    ? known
                    : failed(
                            Optional.empty(),
                            "The receiver did not answer: "
                                    + (request.isCancelled()
                                            ? "it took longer than " + attemptMax.toSeconds() + " s."
                                            : failure.getClass().getSimpleName() + "."),
                            Optional.empty());
        } finally {
            end.cancel(false);
        }
    }

    /** Reads the body of an answer. Returns whether its end was reached. */
    private boolean isRead(HttpEntity body, HttpPost request) throws IOException {
        if (body.getContentLength() > BODY_BYTES_MAX) {
            return false;
        }
        var end = watch.schedule(request::cancel, BODY_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return body.getContent().readNBytes(BODY_BYTES_MAX + 1).length <= BODY_BYTES_MAX;
        } finally {
            end.cancel(false);
        }
    }

    private static Attempt attempt(ClassicHttpResponse response) {
        int status = response.getCode();
        if (status >= SUCCESS && status < SUCCESS_END) {
            return new Attempt.Taken(Optional.of(status));
        }
        Optional<Duration> asked = Optional.ofNullable(response.getFirstHeader(HttpHeaders.RETRY_AFTER))
                .flatMap(HttpSender::seconds);
        return new Attempt.Failed(Optional.of(status), "The receiver answered " + status + ".", asked, status == GONE);
    }

    private static Attempt failed(Optional<Integer> status, String error, Optional<Duration> asked) {
        return new Attempt.Failed(status, error, asked, false);
    }

    private static Optional<Duration> seconds(Header header) {
        try {
            return Optional.of(Duration.ofSeconds(Long.parseUnsignedLong(header.getValue())));
        } catch (NumberFormatException date) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        watch.shutdownNow();
        try {
            client.close();
        } catch (IOException ignored) {
            // The connections are gone either way.
        }
    }

    private record Guarded(AddressRule rule) implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            return rule.resolve(host, SystemDefaultDnsResolver.INSTANCE::resolve);
        }

        @Override
        public String resolveCanonicalHostname(String host) throws UnknownHostException {
            return SystemDefaultDnsResolver.INSTANCE.resolveCanonicalHostname(host);
        }
    }
}
