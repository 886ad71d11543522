package dev.millrace.scheduler.webhook.core;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A call of a webhook as it arrived. Nobody changes the body, so it is not copied. */
public final class HookCall {
    private final String method;
    private final String path;
    private final String query;
    private final List<Header> headers;
    private final byte[] body;

    /**
     * A call.
     *
     * @param method in upper case, for example {@code POST}
     * @param path path of the webhook within its workspace
     * @param query as in the address, without the question mark; empty if there is none
     * @param headers in the order of the request
     */
    public HookCall(String method, String path, String query, List<Header> headers, byte[] body) {
        this.method = requireNonNull(method, "method");
        this.path = requireNonNull(path, "path");
        this.query = requireNonNull(query, "query");
        this.headers = List.copyOf(headers);
        this.body = requireNonNull(body, "body");
    }

    public String method() {
        return method;
    }

    public String path() {
        return path;
    }

    public String query() {
        return query;
    }

    public List<Header> headers() {
        return headers;
    }

    public byte[] body() {
        return body;
    }

    /**
     * A header.
     *
     * @param name in lower case
     */
    public record Header(String name, String value) {
        public Header {
            name = name.toLowerCase(Locale.ROOT);
            requireNonNull(value, "value");
        }
    }

    /** The value of a header; empty if the header is absent or occurs several times, since no signer sends it twice. */
    public Optional<String> header(String name) {
        List<String> values = headers.stream()
                .filter(header -> header.name().equals(name))
                .map(Header::value)
                .toList();
        return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
    }

    @Override
    public String toString() {
        return "HookCall[" + method + " " + path + ", " + body.length + " bytes]";
    }
}
