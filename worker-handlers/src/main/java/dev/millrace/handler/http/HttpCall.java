package dev.millrace.handler.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.handler.HandlerInput;
import dev.millrace.text.encoding.TextEncoding;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hc.core5.net.URIBuilder;

/**
 * A request as described by a flow.
 *
 * @param headers headers by lower-case name
 * @param body body of the request; absent if there is none
 * @param timeout longest time from the beginning to the last byte of the response, redirects included
 * @param readTimeout longest wait for further bytes of the response; {@code timeout} also limits it
 * @param failFromStatus lowest status that is a failure
 * @param retryOnStatus statuses after which another attempt may succeed; if absent, 429 and 500 to 599
 * @param responseBytesMax largest response body
 * @param headersAsLists whether the result has the response's headers unchanged, an array of values for each name
 * @param bodyGuessed whether a body that is JSON is parsed regardless of the response's content type
 * @param publicOnly whether the request is restricted to public addresses even if the worker allows others
 */
record HttpCall(
        String method,
        URI url,
        Map<String, String> headers,
        Optional<Body> body,
        Duration timeout,
        Duration connectTimeout,
        Duration readTimeout,
        int failFromStatus,
        Optional<Set<Integer>> retryOnStatus,
        boolean followRedirects,
        int responseBytesMax,
        boolean headersAsLists,
        boolean bodyGuessed,
        boolean publicOnly) {
    static final String HANDLER = "millrace.http";

    private static final int FIRST_STATUS = 100;
    private static final int FIRST_REDIRECT = 300;
    private static final int FIRST_ERROR = 400;
    private static final int LAST_STATUS = 599;
    /** Means all statuses. */
    private static final String ALL = "all";

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    /** Characters of a header's value: visible Latin-1 characters, spaces and tabs. */
    private static final Pattern HEADER_VALUE = Pattern.compile("[\\t\\x20-\\x7e\\xa0-\\xff]*");
    /** Headers that the connection derives from body and URL. */
    private static final Set<String> OWN_HEADERS = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "proxy-authorization",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /** A body with its content type, which the headers can override. */
    static final class Body {
        private final byte[] bytes;
        private final String contentType;

        private Body(byte[] bytes, String contentType) {
            this.bytes = bytes;
            this.contentType = contentType;
        }

        /** The bytes; not to be changed. */
        byte[] bytes() {
            return bytes;
        }

        String contentType() {
            return contentType;
        }
    }

    HttpCall {
        headers = Map.copyOf(headers);
        retryOnStatus = retryOnStatus.map(Set::copyOf);
    }

    /** Parses an input; fails with {@code InputError}. */
    static HttpCall read(byte[] json, boolean privateAllowed) {
        HandlerInput input = new HandlerInput(HANDLER, json);
        String method = input.text("method").orElse("GET").toUpperCase(Locale.ROOT);
        if (!TOKEN.matcher(method).matches() || method.equals("CONNECT")) {
            throw input.invalid("method", "an HTTP method such as GET or POST");
        }
        Map<String, String> headers = headers(input);
        HttpCall call = new HttpCall(
                method,
                url(input),
                headers,
                body(input, Optional.ofNullable(headers.get("content-type"))),
                input.duration("timeout", HttpHandlerOptions.TIMEOUT_MAX).orElse(HttpHandlerOptions.TIMEOUT_DEFAULT),
                input.duration("connect_timeout", HttpHandlerOptions.TIMEOUT_MAX)
                        .orElse(HttpHandlerOptions.CONNECT_TIMEOUT_DEFAULT),
                input.duration("read_timeout", HttpHandlerOptions.TIMEOUT_MAX).orElse(HttpHandlerOptions.TIMEOUT_MAX),
                input.integer("fail_from_status", FIRST_REDIRECT, LAST_STATUS).orElse(FIRST_ERROR),
                input.value("retry_on_status").map(value -> statuses(input, value)),
                input.flag("follow_redirects").orElse(true),
                input.integer("response_limit_bytes", 0, HttpHandlerOptions.RESPONSE_BYTES_MAX)
                        .orElse(HttpHandlerOptions.RESPONSE_BYTES_DEFAULT),
                choice(input, "response_headers", "joined", "lists"),
                choice(input, "response_body", "by_type", "guessed"),
                !input.flag("allow_private").orElse(privateAllowed));
        input.refuseUnknown();
        if (!call.publicOnly && !privateAllowed) {
            throw input.invalid(
                    "allow_private",
                    "false, because this worker lets requests go to public addresses only; its operator can change"
                            + " that with --http-allow-private");
        }
        return call;
    }

    /** Whether another attempt may succeed after this status. */
    boolean isRetryable(int status) {
        return retryOnStatus
                .map(statuses -> statuses.contains(status))
                .orElseGet(() -> status == HttpErrors.TOO_MANY_REQUESTS || status >= HttpErrors.SERVER_ERROR);
    }

    private static URI url(HandlerInput input) {
        String text = input.requiredText("url");
        String expected = "an absolute http or https URL without a user name";
        try {
            URIBuilder builder = new URIBuilder(text);
            input.texts("query").forEach(builder::addParameter);
            URI url = builder.setFragment(null).build();
            if (!isHttp(url)) {
                throw input.invalid("url", expected);
            }
            return url;
        } catch (URISyntaxException e) {
            throw input.invalid("url", expected);
        }
    }

    /** Whether the URL can be requested; a redirect may name any. */
    static boolean isHttp(URI url) {
        String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
        return List.of("http", "https").contains(scheme) && url.getHost() != null && url.getRawUserInfo() == null;
    }

    private static Map<String, String> headers(HandlerInput input) {
        Map<String, String> headers = new LinkedHashMap<>();
        input.texts("headers").forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!TOKEN.matcher(name).matches() || !HEADER_VALUE.matcher(value).matches()) {
                throw input.invalid("headers", "names and values of one line, which \"" + name + "\" breaks");
            }
            if (OWN_HEADERS.contains(lower)) {
                throw input.invalid("headers", "others than " + String.join(", ", new TreeSet<>(OWN_HEADERS)));
            }
            headers.put(lower, value);
        });
        return headers;
    }

    /** Returns false for the usual word or none, true for the other word, and rejects all others. */
    private static boolean choice(HandlerInput input, String key, String usual, String other) {
        String word = input.text(key).orElse(usual);
        if (!word.equals(usual) && !word.equals(other)) {
            throw input.invalid(key, usual + " or " + other);
        }
        return word.equals(other);
    }

    private static Optional<Body> body(HandlerInput input, Optional<String> contentType) {
        Optional<JsonNode> body = input.value("body");
        Optional<String> base64 = input.text("body_base64");
        if (body.isPresent() && base64.isPresent()) {
            throw input.invalid("body_base64", "absent, because there is a body");
        }
        return base64.map(text -> new Body(bytes(input, text), "application/octet-stream"))
                .or(() -> body.map(value -> value.isTextual()
                        ? new Body(text(input, value.textValue(), contentType), "text/plain; charset=UTF-8")
                        : new Body(value.toString().getBytes(StandardCharsets.UTF_8), "application/json")));
    }

    private static byte[] bytes(HandlerInput input, String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            throw input.invalid("body_base64", "bytes in Base64");
        }
    }

    /** The bytes of a text in the encoding that its content type names, so that the server reads the same text. */
    private static byte[] text(HandlerInput input, String text, Optional<String> contentType) {
        Optional<String> charset = contentType.flatMap(MediaTypes::charset);
        TextEncoding encoding = charset.isEmpty()
                ? TextEncoding.UTF_8
                : TextEncoding.named(charset.get())
                        .orElseThrow(() -> input.invalid(
                                "headers",
                                "a Content-Type whose charset can be written, which " + charset.get()
                                        + " cannot: send the bytes as body_base64"));
        return encoding.encode(text)
                .orElseThrow(() ->
                        input.invalid("body", "a text in " + encoding.name() + ", the charset of its Content-Type"));
    }

    private static Set<Integer> statuses(HandlerInput input, JsonNode value) {
        if (value.isTextual() && value.textValue().equals(ALL)) {
            return IntStream.rangeClosed(FIRST_STATUS, LAST_STATUS).boxed().collect(Collectors.toSet());
        }
        Set<Integer> statuses = new TreeSet<>();
        value.forEach(status -> statuses.add(status.intValue()));
        if (!value.isArray() || statuses.stream().anyMatch(status -> status < FIRST_STATUS || status > LAST_STATUS)) {
            throw input.invalid("retry_on_status", "an array of statuses such as [429, 503], or " + ALL);
        }
        return statuses;
    }
}
