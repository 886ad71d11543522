package dev.millrace.handler.http;

import dev.millrace.tls.AddressRule;
import dev.millrace.worker.JobContext;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/** One request with its redirects. Runs on one thread; {@link #abort} may be called from another. */
final class HttpExchange {
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    private static final int SEE_OTHER = 303;
    private static final int TEMPORARY_REDIRECT = 307;
    private static final String TRACEPARENT = "traceparent";
    private static final String TRACESTATE = "tracestate";

    /** Headers that another server may see: they tell the kind of a request, and no account. */
    private static final Set<String> HARMLESS = Set.of(
            "accept",
            "accept-language",
            "content-encoding",
            "content-language",
            "content-type",
            "user-agent",
            TRACEPARENT,
            TRACESTATE);

    private static final List<String> BODIES = List.of("/body", "/body_base64");

    private final CloseableHttpClient client;
    private final HttpCall call;
    private final Map<String, String> headers;
    private final Set<String> boundPointers;
    private String method;
    private URI url;
    private boolean sendsBody;
    private @Nullable HttpUriRequestBase current;
    private boolean aborted;

    HttpExchange(CloseableHttpClient client, HttpCall call, JobContext job) {
        this.client = client;
        this.call = call;
        this.headers = new LinkedHashMap<>(call.headers());
        this.method = call.method();
        this.url = call.url();
        this.sendsBody = call.body().isPresent();
        this.boundPointers = job.boundPointers();
        addTrace(job);
    }

    /** Passes the trace of the job on, unless the call names one. A state belongs to its parent. */
    private void addTrace(JobContext job) {
        if (job.traceparent().isEmpty() || headers.containsKey(TRACEPARENT)) {
            return;
        }
        headers.put(TRACEPARENT, job.traceparent());
        if (!job.tracestate().isEmpty()) {
            headers.putIfAbsent(TRACESTATE, job.tracestate());
        }
    }

    /**
     * Sends the request and reads the last response to its end. A status from {@link HttpCall#failFromStatus} on is a
     * failure.
     */
    HttpReply run() {
        for (int redirects = 0; redirects <= HttpHandlerOptions.REDIRECTS_MAX; redirects++) {
            HttpReply reply = send();
            Optional<String> location = reply.header("location");
            if (call.followRedirects() && REDIRECTS.contains(reply.status()) && location.isPresent()) {
                follow(reply.status(), location.get());
            } else if (reply.status() >= call.failFromStatus()) {
                throw HttpErrors.status(call, url, reply.status(), reply.body().shown());
            } else {
                return reply;
            }
        }
        throw HttpErrors.tooManyRedirects(call);
    }

    /** Ends the exchange at once in any state. */
    synchronized void abort() {
        aborted = true;
        if (current != null) {
            current.abort();
        }
    }

    private HttpReply send() {
        try {
            return client.execute(begin(), this::read);
        } catch (AddressRule.Refused refusal) {
            throw HttpErrors.notAllowed(url, refusal);
        } catch (HttpReply.TooLarge tooLarge) {
            throw HttpErrors.tooLarge(call, url);
        } catch (MessageConstraintException tooLong) {
            throw HttpErrors.headTooLarge(url);
        } catch (SSLException untrusted) {
            throw HttpErrors.connection(call, url, untrusted, false);
        } catch (IOException failure) {
            throw HttpErrors.connection(call, url, failure, true);
        }
    }

    private HttpReply read(ClassicHttpResponse response) throws IOException {
        try {
            return HttpReply.read(response, call.responseBytesMax());
        } catch (HttpReply.TooLarge tooLarge) {
            // Otherwise the client would read the rest in order to reuse the connection.
            abort();
            throw tooLarge;
        }
    }

    private synchronized HttpUriRequestBase begin() {
        HttpUriRequestBase request = new HttpUriRequestBase(method, url);
        headers.forEach(request::setHeader);
        call.body().filter(body -> sendsBody).ifPresent(body -> {
            // The header sets the content type, so the entity has none.
            request.setEntity(new ByteArrayEntity(body.bytes(), null));
            if (!headers.containsKey("content-type")) {
                request.setHeader("content-type", body.contentType());
            }
        });
        request.setConfig(config());
        current = request;
        if (aborted) {
            request.abort();
        }
        return request;
    }

    /** Timeouts for this request; the client's own timeouts would apply to all requests of a connection pool. */
    @SuppressWarnings("deprecation")
    private RequestConfig config() {
        return RequestConfig.custom()
                .setConnectTimeout(Timeout.of(call.connectTimeout()))
                // The handler aborts a request whose whole time is over. A second clock would tell it as something
                // else.
                .setConnectionRequestTimeout(Timeout.DISABLED)
                .setResponseTimeout(Timeout.of(call.readTimeout()))
                .build();
    }

    private void follow(int status, String location) {
        URI next;
        try {
            next = url.resolve(location);
        } catch (IllegalArgumentException notAUrl) {
            throw HttpErrors.badRedirect(url, location);
        }
        if (!HttpCall.isHttp(next)) {
            throw HttpErrors.badRedirect(url, location);
        }
        boolean becomesGet =
                status == SEE_OTHER ? !method.equals("HEAD") : status < TEMPORARY_REDIRECT && method.equals("POST");
        if (becomesGet) {
            method = "GET";
            sendsBody = false;
            headers.remove("content-type");
        }
        if (!isSameOrigin(url, next)) {
            leaveOrigin(next);
        }
        url = next;
    }

    /** Takes along what another server may see. Headers often hold what an earlier step has got, which is bound nowhere. */
    private void leaveOrigin(URI next) {
        headers.keySet().removeIf(name -> !HARMLESS.contains(name) || isBound("/headers/" + name));
        if (sendsBody && BODIES.stream().anyMatch(this::isBound)) {
            throw HttpErrors.redirectOfSecrets(url, next);
        }
    }

    /** Whether a value of the input is that of a secret or resource, or part of one, or holds one. Names of headers have no case. */
    private boolean isBound(String place) {
        return boundPointers.stream()
                .map(pointer -> pointer.toLowerCase(Locale.ROOT))
                .anyMatch(pointer ->
                        pointer.equals(place) || pointer.startsWith(place + "/") || place.startsWith(pointer + "/"));
    }

    private static boolean isSameOrigin(URI one, URI other) {
        return one.getScheme().equalsIgnoreCase(other.getScheme())
                && Objects.requireNonNull(one.getHost()).equalsIgnoreCase(other.getHost())
                && one.getPort() == other.getPort();
    }
}
