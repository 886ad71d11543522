package dev.millrace.handler.http;

import dev.millrace.tls.AddressRule;
import dev.millrace.worker.JobException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.stream.Collectors;

/** Failures of requests; their names are part of the contract. */
final class HttpErrors {
    static final int TOO_MANY_REQUESTS = 429;
    static final int SERVER_ERROR = 500;

    private static final int EXCERPT_CHARS_MAX = 500;

    private HttpErrors() {}

    static JobException status(HttpCall call, URI url, int status, String body) {
        String excerpt = body.length() > EXCERPT_CHARS_MAX ? body.substring(0, EXCERPT_CHARS_MAX) + "…" : body;
        return new JobException(
                "HttpStatusError",
                call.method() + " " + shown(url) + " was answered with status " + status
                        + (excerpt.isBlank() ? "." : ": " + excerpt.strip()),
                call.isRetryable(status));
    }

    static JobException timeout(HttpCall call) {
        return new JobException(
                "HttpTimeout",
                call.method() + " " + shown(call.url()) + " took longer than its timeout of " + inWords(call.timeout())
                        + ".",
                true);
    }

    static JobException connection(HttpCall call, URI url, Exception failure, boolean retryable) {
        return new JobException(
                "HttpConnectionError",
                call.method() + " " + shown(url) + " failed: "
                        + failure.getClass().getSimpleName() + ": " + failure.getMessage(),
                retryable);
    }

    static JobException notAllowed(URI url, AddressRule.Refused refusal) {
        String addresses =
                refusal.addresses().stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
        return new JobException(
                "AddressNotAllowed",
                "The host of " + shown(url) + " is at " + addresses
                        + ", which is not a public address. The operator of the worker can allow such addresses with "
                        + "--http-allow-private.",
                false);
    }

    static JobException tooLarge(HttpCall call, URI url) {
        return new JobException(
                "ResponseTooLarge",
                "The response of " + shown(url) + " has more than " + call.responseBytesMax()
                        + " bytes: ask for less, or raise response_limit_bytes.",
                false);
    }

    static JobException headTooLarge(URI url) {
        return new JobException(
                "ResponseTooLarge",
                "The response of " + shown(url) + " has more than " + HttpHandlerOptions.RESPONSE_HEADERS_MAX
                        + " headers, or one of more than " + HttpHandlerOptions.RESPONSE_LINE_BYTES_MAX
                        + " bytes. No setting allows more.",
                false);
    }

    static JobException tooManyRedirects(HttpCall call) {
        return new JobException(
                "TooManyRedirects",
                call.method() + " " + shown(call.url()) + " was redirected more than "
                        + HttpHandlerOptions.REDIRECTS_MAX + " times.",
                false);
    }

    static JobException badRedirect(URI url, String location) {
        return new JobException(
                "BadRedirect",
                shown(url) + " redirects to \"" + location + "\", which is not an http or https URL.",
                false);
    }

    static JobException redirectOfSecrets(URI url, URI next) {
        return new JobException(
                "BadRedirect",
                shown(url) + " redirects to " + shown(next)
                        + ", and the body would take secrets or resources along to another server. Name the other URL in the step, or set"
                        + " follow_redirects to false.",
                false);
    }

    /** The URL without its query, which may contain secrets. */
    private static String shown(URI url) {
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        return url.getScheme() + "://" + url.getHost() + port + path;
    }

    private static String inWords(Duration duration) {
        return duration.toMillis() < 1_000 ? duration.toMillis() + " ms" : duration.toMillis() / 1_000.0 + " s";
    }
}
