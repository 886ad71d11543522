package dev.millrace.handler.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.tls.AddressRule;
import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobHandler;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.io.CloseMode;

/**
 * Handler {@code millrace.http}: sends one HTTP request and returns
 * {@code {"status", "headers", "body", "duration_ms"}}. Thread-safe; its requests share persistent connections.
 */
public final class HttpHandler implements JobHandler, AutoCloseable {
    /** Name under which workers offer the handler. */
    public static final String NAME = HttpCall.HANDLER;

    private final HttpHandlerOptions options;
    /**
     * Separate clients: requests restricted to public addresses must never share a connection with unrestricted ones.
     */
    private final CloseableHttpClient toPublic;

    private final CloseableHttpClient toAny;
    private final ExecutorService exchanges = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("millrace-http-", 0).factory());

    public HttpHandler(HttpHandlerOptions options) {
        this(options, SystemDefaultDnsResolver.INSTANCE);
    }

    HttpHandler(HttpHandlerOptions options, DnsResolver names) {
        this.options = options;
        this.toPublic = client(names, HttpHandlerOptions.PUBLIC_ONLY.addressRule());
        this.toAny = client(names, new HttpHandlerOptions(true).addressRule());
    }

    @Override
    public ObjectNode handle(JobContext context) throws InterruptedException {
        HttpCall call = HttpCall.read(context.inputBytes(), options.allowPrivate());
        HttpExchange exchange = new HttpExchange(call.publicOnly() ? toPublic : toAny, call, context);
        long begin = System.nanoTime();
        HttpReply reply = await(exchange, call);
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("status", reply.status());
        ObjectNode headers = result.putObject("headers");
        if (call.headersAsLists()) {
            reply.values().forEach((name, values) -> values.forEach(headers.putArray(name)::add));
        } else {
            reply.headers().forEach(headers::put);
        }
        reply.body().addTo(result, call.bodyGuessed());
        result.put("duration_ms", Duration.ofNanos(System.nanoTime() - begin).toMillis());
        return result;
    }

    /**
     * Waits for the exchange, which runs on its own thread. Blocking reads have no overall time limit and ignore
     * interrupts, so an abort ends them.
     */
    private HttpReply await(HttpExchange exchange, HttpCall call) throws InterruptedException {
        Future<HttpReply> running = exchanges.submit(exchange::run);
        try {
            return running.get(call.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw HttpErrors.timeout(call);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            exchange.abort();
        }
    }

    private static CloseableHttpClient client(DnsResolver names, AddressRule rule) {
        return HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setDnsResolver(new GuardedResolver(names, rule))
                        .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                                .http1Config(Http1Config.custom()
                                        .setMaxLineLength(HttpHandlerOptions.RESPONSE_LINE_BYTES_MAX)
                                        .setMaxHeaderCount(HttpHandlerOptions.RESPONSE_HEADERS_MAX)
                                        .build())
                                .build())
                        .setMaxConnTotal(HttpHandlerOptions.CONNECTIONS_MAX)
                        .setMaxConnPerRoute(HttpHandlerOptions.CONNECTIONS_PER_HOST_MAX)
                        .build())
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .setUserAgent("millrace")
                .build();
    }

    @Override
    public void close() {
        exchanges.shutdownNow();
        toPublic.close(CloseMode.IMMEDIATE);
        toAny.close(CloseMode.IMMEDIATE);
    }
}
